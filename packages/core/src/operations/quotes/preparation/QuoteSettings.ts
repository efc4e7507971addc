import { Context } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { MissingBalance } from "./missingBalances.ts"

export interface QuoteSettings {
  /** Number of seconds during which a quote can be signed. */
  readonly quoteSeconds: number
  /** The recipient of the operator's share of `transactionFeePercent`. Null if the operator has no share. */
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
  /** Returns a sentence that explains how to fund a wallet. Set if the operator configured it. */
  readonly fundingHint?: (missing: MissingBalance) => string
}

/** The operator's settings for quotes. */
export const QuoteSettings = Context.Reference<QuoteSettings>("@countersign/core/quotes/QuoteSettings", {
  defaultValue: () => ({ quoteSeconds: 60, operatorTreasury: null, operatorSharePercent: 0 })
})
