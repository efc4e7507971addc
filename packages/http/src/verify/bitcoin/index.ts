/** The same check of payments on Bitcoin's chain: an entry of its own, because it brings a library that reads PSBTs. */

export {
  type BitcoinProblem,
  type BitcoinProblemCode,
  type BitcoinTrust,
  type BitcoinVerification,
  verifyBitcoinPayment
} from "./verifyBitcoinPayment.ts"
