import type { Deposit } from "../../../bitcoin/payments/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"

/** The Bitcoin payment of a swap, with its preview. */
export interface SwapPayment {
  readonly deposit: Deposit
  /** Number of confirmations that the payment needs before the stages of the offer begin. */
  readonly confirmations: number
  readonly outputs: BitcoinSwapPreview["outputs"]
}
