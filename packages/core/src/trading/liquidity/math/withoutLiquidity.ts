import type { ConcentratedPool, InitializedTick } from "./ConcentratedPool.ts"
import type { TickRange } from "./priceRange.ts"

/** The gross liquidity of a tick: the total liquidity of the positions that start or end at it. */
export interface TickGross {
  readonly index: number
  readonly liquidityGross: bigint
}

/**
 * Returns the pool after a position's liquidity was removed. A tick becomes uninitialized if no remaining position
 * starts or ends at it.
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
