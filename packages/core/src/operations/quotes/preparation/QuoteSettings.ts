import { Context } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { MissingBalance } from "./missingBalances.ts"

export interface QuoteSettings {
  /** How long a quote can be signed. */
  readonly quoteSeconds: number
  /** The recipient of the operator's share of transactionFeePercent; null for none. */
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
  /** How a wallet can be funded, as a sentence, if the operator configured it. */
  readonly fundingHint?: (missing: MissingBalance) => string
}

/** The operator's settings for all quotes. */
export const QuoteSettings = Context.Reference<QuoteSettings>("@countersign/core/quotes/QuoteSettings", {
  defaultValue: () => ({ quoteSeconds: 60, operatorTreasury: null, operatorSharePercent: 0 })
})
