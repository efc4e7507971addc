import { type ConcentratedPool, nextTickWithinWord, swapFeePips, wordOfTick } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { addFeeRoundingUp, inputRoundingUp, outputRoundingDown, PIPS } from "./swapMath.ts"
import { MAX_TICK, MIN_TICK, priceLimit, sqrtPriceX96AtTick, tickAtSqrtPriceX96 } from "./tickMath.ts"

/**
 * The state of a swap after a number of whole steps. The steps between boundaries (initialized ticks and ends of bitmap
 * words) do not depend on the swapped amount, or on whether it is an input or an output. So they are computed once per
 * pool state and direction, and stored as cumulative sums.
 */
export interface Mark {
  /** Base units from the pool's state to this mark, including fees. Each step is rounded as in the contract. */
  readonly totalIn: bigint
  readonly totalOut: bigint
  readonly sqrtPriceX96: bigint
  /** The tick after the boundary, in the direction of the swap. */
  readonly tick: number
  readonly liquidity: bigint
  readonly ticksCrossed: number
}

/** Why no further step is possible. */
export type End = Exclude<SwapOutcome<never>, { readonly _tag: "Swapped" }>

export interface SwapSums {
  readonly zeroForOne: boolean
  readonly feePips: bigint
  /** Marks from the pool's own state on, as far as amounts have needed them. At most one per tick and known word. */
  readonly marks: Array<Mark>
}

const INSUFFICIENT: End = { _tag: "InsufficientLiquidity" }

const nextMark = (pool: ConcentratedPool, { feePips, zeroForOne }: SwapSums, from: Mark): Mark | End => {
  const limit = priceLimit(zeroForOne)
  const { liquidity, sqrtPriceX96: price, tick } = from
  // A pool with a fee of 100 % has no output.
  if (feePips >= PIPS || (zeroForOne ? price <= limit : price >= limit)) return INSUFFICIENT
  const next = nextTickWithinWord(pool, tick, zeroForOne)
  if (next === null) {
    return { _tag: "TicksMissing", word: wordOfTick(zeroForOne ? tick : tick + pool.tickSpacing, pool.tickSpacing) }
  }
  const index = Math.min(MAX_TICK, Math.max(MIN_TICK, next.index))
  const nextPrice = sqrtPriceX96AtTick(index)
  const isBeyondLimit = zeroForOne ? nextPrice < limit : nextPrice > limit
  const target = isBeyondLimit ? limit : nextPrice
  const amountIn = inputRoundingUp(price, target, liquidity, zeroForOne)
  const sums = {
    totalIn: from.totalIn + addFeeRoundingUp(amountIn, feePips),
    totalOut: from.totalOut + outputRoundingDown(price, target, liquidity, zeroForOne),
    sqrtPriceX96: target
  }
  if (isBeyondLimit) return { ...sums, tick: tickAtSqrtPriceX96(limit), liquidity, ticksCrossed: from.ticksCrossed }
  // liquidityNet is added when the price enters the range from the left.
  const net = next.liquidityNet ?? 0n
  return {
    ...sums,
    tick: zeroForOne ? index - 1 : index,
    liquidity: liquidity + (zeroForOne ? -net : net),
    ticksCrossed: from.ticksCrossed + (next.liquidityNet === null ? 0 : 1)
  }
}

interface BothDirections {
  zeroForOne: SwapSums | null
  oneForZero: SwapSums | null
}

/** The cache key is the immutable pool object. The sums are kept as long as this object. */
const sumsOfPools = new WeakMap<ConcentratedPool, BothDirections>()

const startOf = (pool: ConcentratedPool, zeroForOne: boolean): SwapSums => {
  const { liquidity, sqrtPriceX96, tick } = pool
  return {
    zeroForOne,
    feePips: BigInt(swapFeePips(pool, zeroForOne)),
    marks: [{ totalIn: 0n, totalOut: 0n, sqrtPriceX96, tick, liquidity, ticksCrossed: 0 }]
  }
}

/** The sums of a pool's state in one direction, as far as swaps have needed them. */
export const sumsOf = (pool: ConcentratedPool, zeroForOne: boolean): SwapSums => {
  let bothDirections = sumsOfPools.get(pool)
  if (bothDirections === undefined) {
    bothDirections = { zeroForOne: null, oneForZero: null }
    sumsOfPools.set(pool, bothDirections)
  }
  const direction = zeroForOne ? "zeroForOne" : "oneForZero"
  const sums = bothDirections[direction] ?? startOf(pool, zeroForOne)
  bothDirections[direction] = sums
  return sums
}

/** The index of the first mark for which a monotone condition is true. If there is none yet, computes further steps. */
export const firstMarkThat = (
  hasReached: (mark: Mark) => boolean,
  pool: ConcentratedPool,
  sums: SwapSums
): number | End => {
  const { marks } = sums
  let low = 0
  while (!hasReached(marks.at(-1)!)) {
    const mark = nextMark(pool, sums, marks.at(-1)!)
    if ("_tag" in mark) return mark
    low = marks.push(mark) - 1
  }
  let high = marks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (hasReached(marks[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
