/**
 * The verifier for payments and swaps on Bitcoin. It is a separate entry point, because it needs a library for PSBTs.
 */

export type { BitcoinProblem, BitcoinProblemCode } from "./psbtChecks.ts"
export {
  type BitcoinTrust,
  type BitcoinVerification,
  verifyBitcoinPayment
} from "./verifyBitcoinPayment.ts"
export { type BitcoinReplacementRequest, verifyBitcoinReplacement } from "./verifyBitcoinReplacement.ts"
export { type BitcoinSwapTrust, type BitcoinSwapVerification, verifyBitcoinSwap } from "./verifyBitcoinSwap.ts"
