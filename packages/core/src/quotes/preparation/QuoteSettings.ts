import { Context } from "effect"
import type { Address } from "../../primitives/index.ts"

export interface QuoteSettings {
  /** How long a quote can be signed. */
  readonly quoteSeconds: number
  /** The recipient of the operator's share of transactionFeePercent; null for none. */
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
}

/** How everything is quoted: set by the operator. */
export const QuoteSettings = Context.Reference<QuoteSettings>("@countersign/core/quotes/QuoteSettings", {
  defaultValue: () => ({ quoteSeconds: 60, operatorTreasury: null, operatorSharePercent: 0 })
})
