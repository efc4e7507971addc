/**
 * The verifier of Bitcoin payments and of swaps from Bitcoin. It is a separate entry point, because it depends on a
 * PSBT library.
 */

export type { BitcoinProblem, BitcoinProblemCode } from "./psbtChecks.ts"
export {
  type BitcoinTrust,
  type BitcoinVerification,
  verifyBitcoinPayment
} from "./verifyBitcoinPayment.ts"
export { type BitcoinReplacementRequest, verifyBitcoinReplacement } from "./verifyBitcoinReplacement.ts"
export { type BitcoinSwapTrust, type BitcoinSwapVerification, verifyBitcoinSwap } from "./verifyBitcoinSwap.ts"
