import { Context } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { MissingBalance } from "./missingBalances.ts"

export interface QuoteSettings {
  /** How long a quote can be signed. */
  readonly quoteSeconds: number
  /** The recipient of the operator's share of transactionFeePercent; null for none. */
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
  /** How a wallet can be given what it lacks, in a sentence, where the operator knows a way. */
  readonly fundingHint?: (missing: MissingBalance) => string
}

/** How everything is quoted: set by the operator. */
export const QuoteSettings = Context.Reference<QuoteSettings>("@countersign/core/quotes/QuoteSettings", {
  defaultValue: () => ({ quoteSeconds: 60, operatorTreasury: null, operatorSharePercent: 0 })
})
