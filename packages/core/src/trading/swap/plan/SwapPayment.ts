import type { Deposit } from "../../../bitcoin/payments/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"

/** The payment of a swap from a Bitcoin wallet, with its preview. */
export interface SwapPayment {
  readonly deposit: Deposit
  /** The number of confirmations that the payment needs before the stages of the offer begin. */
  readonly confirmations: number
  readonly outputs: BitcoinSwapPreview["outputs"]
}
