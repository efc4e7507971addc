import type { SymbolOf } from "../input/token.ts"
import { gasRow } from "./preparedCard.ts"

interface TokenPair {
  readonly token0: string
  readonly token1: string
}

interface Amounts {
  readonly amount0: string
  readonly amount1: string
}

interface PlacementBody extends TokenPair, Amounts {
  readonly estimatedGasFees: Parameters<typeof gasRow>[0]["estimatedGasFees"]
  readonly leftovers: Amounts
  readonly range: { readonly minPrice: string | null; readonly maxPrice: string | null }
  readonly liquidity: string
  readonly priceImpactPercent: string
}

const amountPairText = ({ amount0, amount1 }: Amounts, { token0, token1 }: TokenPair, symbolOf: SymbolOf): string =>
  `${amount0} ${symbolOf(token0)} and ${amount1} ${symbolOf(token1)}`

/** Returns the row with the amounts that a position pays out. */
export const collectedRow = (body: TokenPair & { readonly collected: Amounts }, symbolOf: SymbolOf) =>
  ["it gives", amountPairText(body.collected, body, symbolOf)] as const

/** Returns the rows about the amounts and the range of a position. */
export const placementRows = (body: PlacementBody, symbolOf: SymbolOf) =>
  [
    ["range", `${body.range.minPrice} to ${body.range.maxPrice} ${symbolOf(body.token1)} per ${symbolOf(body.token0)}`],
    ["the pool takes", amountPairText(body, body, symbolOf)],
    ["left over", amountPairText(body.leftovers, body, symbolOf)],
    ["liquidity", body.liquidity],
    ["price impact", `${body.priceImpactPercent} %`],
    gasRow(body, symbolOf)
  ] as const
