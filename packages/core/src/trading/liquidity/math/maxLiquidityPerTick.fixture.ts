import { usableTickEnds } from "./tickMath.ts"

const MAX_UINT128 = 2n ** 128n - 1n

/**
 * Returns the maximum liquidity per tick, as `Tick.tickSpacingToMaxLiquidityPerTick` does. It keeps the sum over all
 * ticks below 2^128.
 */
export const maxLiquidityPerTick = (tickSpacing: number): bigint => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  return MAX_UINT128 / BigInt((highest - lowest) / tickSpacing + 1)
}
