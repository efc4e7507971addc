import type { Client, Signable, SwapQuote, SwapRequest } from "../../src/client/index.ts"
import { difference } from "../decimals.ts"

const DECIMALS_MAX = 36

export interface SwapQuoteInput {
  readonly request: SwapRequest
  /** Returns the minimum output for an amount of `tokenIn` at the limit price. Null if there is no amount or no price. */
  readonly minOf: (amountIn: string) => string | null
}

/**
 * Requests a quote of a swap or a limit order. If a limit order deducts the gas fee from its amount, the first quote
 * determines the remaining amount. A second request then sets the minimum output for this amount.
 */
export const quoteOf = async ({ swap }: Client, { minOf, request }: SwapQuoteInput): Promise<Signable<SwapQuote>> => {
  const quote = await swap.quote(request)
  if (request.minAmountOut === undefined || request.gasFeePaymentMethod !== "DEDUCT_FROM_AMOUNT") return quote
  const remainingAmount = difference(request.amountIn, quote.estimatedGasFees.maxGasFeeToken, DECIMALS_MAX)
  const minAmountOut = minOf(remainingAmount)
  return minAmountOut === null ? quote : swap.quote({ ...request, minAmountOut })
}
