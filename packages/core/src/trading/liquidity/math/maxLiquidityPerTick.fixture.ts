import { usableTickEnds } from "./tickMath.ts"

const MAX_UINT128 = 2n ** 128n - 1n

/** What may begin and end at one tick, so that all ticks together stay below 2^128: `Tick.tickSpacingToMaxLiquidityPerTick`. */
export const maxLiquidityPerTick = (tickSpacing: number): bigint => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  return MAX_UINT128 / BigInt((highest - lowest) / tickSpacing + 1)
}
