import type { Deposit } from "../../../bitcoin/payments/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"

/** A swap's payment from a Bitcoin wallet, and its preview. */
export interface SwapPayment {
  readonly deposit: Deposit
  /** The required confirmations before the stages of the offer begin. */
  readonly confirmations: number
  readonly outputs: BitcoinSwapPreview["outputs"]
}
