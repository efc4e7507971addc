/** The same check of payments and swaps on Bitcoin's chain: an entry of its own, because it brings a library that reads PSBTs. */

export type { BitcoinProblem, BitcoinProblemCode } from "./psbtChecks.ts"
export {
  type BitcoinTrust,
  type BitcoinVerification,
  verifyBitcoinPayment
} from "./verifyBitcoinPayment.ts"
export { type BitcoinReplacementRequest, verifyBitcoinReplacement } from "./verifyBitcoinReplacement.ts"
export { type BitcoinSwapTrust, type BitcoinSwapVerification, verifyBitcoinSwap } from "./verifyBitcoinSwap.ts"
