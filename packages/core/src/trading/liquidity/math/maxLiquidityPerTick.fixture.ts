import { usableTickEnds } from "./tickMath.ts"

const MAX_UINT128 = 2n ** 128n - 1n

/**
 * The maximum liquidity per tick, so that all ticks together stay below 2^128: `Tick.tickSpacingToMaxLiquidityPerTick`.
 */
export const maxLiquidityPerTick = (tickSpacing: number): bigint => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  return MAX_UINT128 / BigInt((highest - lowest) / tickSpacing + 1)
}
