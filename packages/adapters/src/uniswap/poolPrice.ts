import type { ConcentratedPool } from "@countersign/core/liquidity"
import type { Address } from "@countersign/core/primitives"

/** A token whose price in US dollars is known already. */
export interface Anchor {
  readonly address: Address
  readonly decimals: number
  readonly usdE18: bigint
}

const Q192 = 1n << 192n
const Q96 = 1n << 96n

/** US dollars for one whole token at the pool's middle price, scaled by 10^18. */
export const usdAtMiddlePrice = (pool: ConcentratedPool, decimals: number, anchor: Anchor): bigint => {
  const square = pool.sqrtPriceX96 * pool.sqrtPriceX96
  const scale = 10n ** BigInt(decimals) * anchor.usdE18
  const unit = 10n ** BigInt(anchor.decimals)
  return anchor.address === pool.token1 ? (scale * square) / (Q192 * unit) : (scale * Q192) / (square * unit)
}

/** The anchor's side of the liquidity at the current price, in US dollars scaled by 10^18: how far a price is to be trusted. */
export const depthUsdE18 = (pool: ConcentratedPool, anchor: Anchor): bigint => {
  const reserve =
    anchor.address === pool.token1
      ? (pool.liquidity * pool.sqrtPriceX96) / Q96
      : (pool.liquidity * Q96) / pool.sqrtPriceX96
  return (reserve * anchor.usdE18) / 10n ** BigInt(anchor.decimals)
}
