import type { Token } from "@countersign/core/tokens"

interface Gas {
  readonly estimatedGasFees: { readonly gasFeeTokenAmount: string; readonly maxGasFeeToken: string }
}

interface PlacementBody extends Gas {
  readonly amount0: string
  readonly amount1: string
  readonly leftovers: { readonly amount0: string; readonly amount1: string }
  readonly range: { readonly minPrice: string | null; readonly maxPrice: string | null }
  readonly liquidity: string
  readonly priceImpactPercent: string
}

interface Tokens {
  readonly token0: Token
  readonly token1: Token
  readonly payGasFeeToken: Token
}

export const gasRow = ({ estimatedGasFees }: Gas, { symbol }: Token) =>
  ["gas", `about ${estimatedGasFees.gasFeeTokenAmount} ${symbol}, at most ${estimatedGasFees.maxGasFeeToken}`] as const

/** The lines of a card that tell what a position gets, and where. */
export const placementRows = (body: PlacementBody, { payGasFeeToken, token0, token1 }: Tokens) =>
  [
    ["range", `${body.range.minPrice} to ${body.range.maxPrice} ${token1.symbol} for one ${token0.symbol}`],
    ["the pool takes", `${body.amount0} ${token0.symbol} and ${body.amount1} ${token1.symbol}`],
    ["left over", `${body.leftovers.amount0} ${token0.symbol} and ${body.leftovers.amount1} ${token1.symbol}`],
    ["liquidity", body.liquidity],
    ["price impact", `${body.priceImpactPercent} %`],
    gasRow(body, payGasFeeToken)
  ] as const
