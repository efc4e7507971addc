import type { Deposit } from "../../../bitcoin/payments/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"

/** What a wallet pays on Bitcoin's chain for a swap, and how that is shown. */
export interface SwapPayment {
  readonly deposit: Deposit
  /** Blocks that have it or are on top of it, before the stages of the offer begin. */
  readonly confirmations: number
  readonly outputs: BitcoinSwapPreview["outputs"]
}
