import type { Address } from "../../primitives/index.ts"

export interface InitializedTick {
  readonly index: number
  readonly liquidityNet: bigint
}

/** State of a Uniswap V3 pool at one block, with its ticks as far as they were read. */
export interface Pool {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly feePips: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** In ascending order. */
  readonly ticks: ReadonlyArray<InitializedTick>
  /** Words of the tick bitmap (256 ticks of the spacing each) that `ticks` covers, both ends included. */
  readonly firstWord: number
  readonly lastWord: number
}

/** The bitmap word that holds a tick. */
export const wordOfTick = (tick: number, tickSpacing: number): number => Math.floor(tick / tickSpacing) >> 8

/** Position of the first tick with an index of at least `index`. */
const lowerBound = (ticks: ReadonlyArray<InitializedTick>, index: number): number => {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ticks[middle]!.index < index) low = middle + 1
    else high = middle
  }
  return low
}

export interface NextTick {
  readonly index: number
  /** Null where the word holds no further initialized tick and the index is its end. */
  readonly liquidityNet: bigint | null
}

/**
 * The next tick in the direction of a swap, within the bitmap word, as `TickBitmap.nextInitializedTickWithinOneWord`.
 * The ends of words matter although nothing is initialized there: each step rounds, so the steps must be the
 * contract's own. Null when the word was not read.
 */
export const nextTickWithinWord = (pool: Pool, tick: number, zeroForOne: boolean): NextTick | null => {
  const compressedTick = Math.floor(tick / pool.tickSpacing)
  const tickIndex = zeroForOne ? compressedTick : compressedTick + 1
  const word = tickIndex >> 8
  if (word < pool.firstWord || word > pool.lastWord) return null
  if (zeroForOne) {
    const nextTick = pool.ticks[lowerBound(pool.ticks, tickIndex * pool.tickSpacing + 1) - 1]
    const end = (word << 8) * pool.tickSpacing
    return nextTick !== undefined && nextTick.index >= end ? nextTick : { index: end, liquidityNet: null }
  }
  const nextTick = pool.ticks[lowerBound(pool.ticks, tickIndex * pool.tickSpacing)]
  const end = ((word << 8) + 255) * pool.tickSpacing
  return nextTick !== undefined && nextTick.index <= end ? nextTick : { index: end, liquidityNet: null }
}
