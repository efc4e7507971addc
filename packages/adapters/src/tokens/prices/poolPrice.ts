import { type Address, maxBigInt, minBigInt } from "@countersign/core/foundation/primitives"
import type { TokenPrice } from "@countersign/core/foundation/tokens"
import type { PricedPool } from "./poolState.ts"

/** A token whose US dollar price is known, with which pools price other tokens. */
export interface Anchor {
  readonly address: Address
  readonly decimals: number
  readonly price: TokenPrice
}

const Q192 = 1n << 192n
const Q96 = 1n << 96n

/** Returns US dollars per token at a pool's price, scaled by 10^18, rounded down. */
const usdRoundingDown = (
  sqrtPriceX96: bigint,
  isToken0: boolean,
  decimals: number,
  anchor: Anchor,
  anchorUsd: bigint
): bigint => {
  const square = sqrtPriceX96 * sqrtPriceX96
  const scale = 10n ** BigInt(decimals) * anchorUsd
  const unit = 10n ** BigInt(anchor.decimals)
  return isToken0 ? (scale * square) / (Q192 * unit) : (scale * Q192) / (square * unit)
}

/**
 * Returns the value of the active liquidity on the anchor's side, in US dollars scaled by 10^18. It measures how
 * reliable the pool's price is.
 */
const depthUsd = (pool: PricedPool, { address, decimals, price }: Anchor): bigint => {
  const reserve =
    address === pool.token1 ? (pool.liquidity * pool.sqrtPriceX96) / Q96 : (pool.liquidity * Q96) / pool.sqrtPriceX96
  return (reserve * price.usd) / 10n ** BigInt(decimals)
}

const connectsTokens = (pool: PricedPool, a: Address, b: Address): boolean =>
  (pool.token0 === a && pool.token1 === b) || (pool.token1 === a && pool.token0 === b)

/** Finds the token's pool with the most active liquidity on the anchor's side, by value. */
const deepestPool = (pools: ReadonlyArray<PricedPool>, token: Address, anchors: ReadonlyArray<Anchor>) => {
  let deepest: { readonly pool: PricedPool; readonly anchor: Anchor; readonly depth: bigint } | null = null
  for (const anchor of anchors) {
    for (const pool of pools) {
      if (!connectsTokens(pool, token, anchor.address)) continue
      const depth = depthUsd(pool, anchor)
      if (depth > 0n && (deepest === null || depth > deepest.depth)) deepest = { pool, anchor, depth }
    }
  }
  return deepest
}

/**
 * Returns the price of a token in the pool with the most liquidity: the time-weighted average, or the current price if
 * the pool stores too few observations. Null if there is no pool. The bounds include the current price: the average
 * lags after a real change, and the current price is wrong after a manipulation.
 */
export const poolPriceOf = (
  pools: ReadonlyArray<PricedPool>,
  token: Address,
  decimals: number,
  anchors: ReadonlyArray<Anchor>
): TokenPrice | null => {
  const deepest = deepestPool(pools, token, anchors)
  if (deepest === null) return null
  const { anchor, pool } = deepest
  const usdAt = (sqrtPriceX96: bigint, anchorUsd: bigint) =>
    usdRoundingDown(sqrtPriceX96, token === pool.token0, decimals, anchor, anchorUsd)
  const average = pool.averageSqrtPriceX96 ?? pool.sqrtPriceX96
  const extremes = (anchorUsd: bigint) => [usdAt(pool.sqrtPriceX96, anchorUsd), usdAt(average, anchorUsd)] as const
  const dependsOnSpotPrice = pool.averageSqrtPriceX96 === null || anchor.price.source === "NOW"
  return {
    usd: usdAt(average, anchor.price.usd),
    low: minBigInt(...extremes(anchor.price.low)),
    high: maxBigInt(...extremes(anchor.price.high)),
    source: dependsOnSpotPrice ? "NOW" : "AVERAGE",
    inPool: usdAt(pool.sqrtPriceX96, anchor.price.usd)
  }
}
