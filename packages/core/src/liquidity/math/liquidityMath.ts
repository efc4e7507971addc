import { MAX_TICK, MIN_TICK } from "./tickMath.ts"

const MAX_UINT128 = 2n ** 128n - 1n

/** The lowest and the highest multiple of a spacing that is a tick. */
export const usableTickEnds = (tickSpacing: number): readonly [lowest: number, highest: number] => [
  Math.ceil(MIN_TICK / tickSpacing) * tickSpacing,
  Math.floor(MAX_TICK / tickSpacing) * tickSpacing
]

/** What may begin and end at one tick, so that all ticks together stay below 2^128: `Tick.tickSpacingToMaxLiquidityPerTick`. */
export const maxLiquidityPerTick = (tickSpacing: number): bigint => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  return MAX_UINT128 / BigInt((highest - lowest) / tickSpacing + 1)
}
