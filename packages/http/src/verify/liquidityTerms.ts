import type { LiquidityQuote } from "../client/resources.ts"
import { addTerms, createTerms } from "./depositTerms.ts"
import type { Terms } from "./requestTerms.ts"
import type { LiquidityRequest, Trust } from "./shapes.ts"
import { rebalanceTerms, withdrawTerms } from "./takingTerms.ts"

/** Returns the terms of a request about a position; null if the quote has another type than the request. */
export const liquidityTerms = (request: LiquidityRequest, quote: LiquidityQuote, trust: Trust): Terms | null => {
  if ("poolFeePercent" in request) return quote.type === "LIQUIDITY_CREATE" ? createTerms(request, quote, trust) : null
  if ("newPosition" in request)
    return quote.type === "LIQUIDITY_REBALANCE" ? rebalanceTerms(request, quote, trust) : null
  if ("percentage" in request) return quote.type === "LIQUIDITY_WITHDRAW" ? withdrawTerms(request, quote, trust) : null
  return quote.type === "LIQUIDITY_ADD" ? addTerms(request, quote, trust) : null
}
