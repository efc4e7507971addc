import { usableTickEnds } from "./tickMath.ts"

const MAX_UINT128 = 2n ** 128n - 1n

/**
 * The maximum liquidity per tick, as in `Tick.tickSpacingToMaxLiquidityPerTick`. So the sum of all ticks stays below
 * 2^128.
 */
export const maxLiquidityPerTick = (tickSpacing: number): bigint => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  return MAX_UINT128 / BigInt((highest - lowest) / tickSpacing + 1)
}
