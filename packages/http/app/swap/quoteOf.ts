import type { Client, Signable, SwapQuote, SwapRequest } from "../../src/client/index.ts"
import { difference } from "../decimals.ts"

const DECIMALS_MAX = 36

export interface SwapQuestion {
  readonly request: SwapRequest
  /** The minimum output for an amount of `tokenIn` at the price of a limit order; null if there is no amount. */
  readonly minOf: (amountIn: string) => string | null
}

/**
 * A quote of a swap or a limit order. If gas is deducted from the amount of a limit order, the first quote shows the
 * remaining amount, and a second quote requests the price of that amount.
 */
export const quoteOf = async ({ swap }: Client, { minOf, request }: SwapQuestion): Promise<Signable<SwapQuote>> => {
  const quote = await swap.quote(request)
  if (request.minAmountOut === undefined || request.gasFeePaymentMethod !== "DEDUCT_FROM_AMOUNT") return quote
  const sold = difference(request.amountIn, quote.estimatedGasFees.maxGasFeeToken, DECIMALS_MAX)
  const minAmountOut = minOf(sold)
  return minAmountOut === null ? quote : swap.quote({ ...request, minAmountOut })
}
