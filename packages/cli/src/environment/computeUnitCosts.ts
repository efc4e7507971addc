import { wholeNumber } from "@countersign/adapters/settings"
import { Effect } from "effect"

/** Nothing is a price too. */
const priceOf = (name: string, usual: number) => wholeNumber(name, usual, { from: 0 })

/** What each kind of request costs a project that has a budget. */
export const computeUnitCosts = Effect.all({
  read: priceOf("COMPUTE_UNITS_READ", 1),
  quote: priceOf("COMPUTE_UNITS_QUOTE", 5),
  slowQuote: priceOf("COMPUTE_UNITS_SLOW_QUOTE", 25),
  portfolio: priceOf("COMPUTE_UNITS_PORTFOLIO", 10)
})
