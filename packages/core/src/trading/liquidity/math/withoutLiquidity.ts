import type { ConcentratedPool, InitializedTick } from "./ConcentratedPool.ts"
import type { TickRange } from "./priceRange.ts"

/** The liquidity of all positions that begin or end at a tick. */
export interface TickGross {
  readonly index: number
  readonly liquidityGross: bigint
}

/**
 * The pool after a position's liquidity was removed. A tick is uninitialized if no position begins or ends at it any
 * longer.
 */
export const withoutLiquidity = (
  pool: ConcentratedPool,
  { tickLower, tickUpper }: TickRange,
  liquidity: bigint,
  grosses: readonly [lower: TickGross, upper: TickGross]
): ConcentratedPool => {
  if (liquidity === 0n) return pool
  const isEmptied = (index: number) => grosses.some((tick) => tick.index === index && tick.liquidityGross === liquidity)
  const changeTick = ({ index, liquidityNet }: InitializedTick): InitializedTick => ({
    index,
    liquidityNet: liquidityNet - (index === tickLower ? liquidity : 0n) + (index === tickUpper ? liquidity : 0n)
  })
  const isInRange = tickLower <= pool.tick && pool.tick < tickUpper
  return {
    ...pool,
    liquidity: isInRange ? pool.liquidity - liquidity : pool.liquidity,
    ticks: pool.ticks.filter(({ index }) => !isEmptied(index)).map(changeTick)
  }
}
