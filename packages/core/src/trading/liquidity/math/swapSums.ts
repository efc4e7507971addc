import { type ConcentratedPool, nextTickWithinWord, swapFeePips, tickToWord } from "./ConcentratedPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { addFeeRoundingUp, inputRoundingUp, outputRoundingDown, PIPS } from "./swapMath.ts"
import { MAX_TICK, MIN_TICK, priceLimit, sqrtPriceX96AtTick, tickAtSqrtPriceX96 } from "./tickMath.ts"

/**
 * The state of a swap after a number of complete steps. A step leads from one boundary (an initialized tick or the end
 * of a bitmap word) to the next. It depends neither on the swapped amount nor on whether the amount is an input or an
 * output. The steps are therefore computed once per pool state and direction, and stored as cumulative sums.
 */
export interface SwapCheckpoint {
  /** Base units from the pool's state up to this mark, including fees. Each step is rounded as in the contract. */
  readonly totalIn: bigint
  readonly totalOut: bigint
  readonly sqrtPriceX96: bigint
  /** The pool's tick after it has crossed the boundary in the swap direction. */
  readonly tick: number
  readonly liquidity: bigint
  readonly ticksCrossed: number
}

/** Why no further step is possible. */
export type SwapEnd = Exclude<SwapOutcome<never>, { readonly _tag: "Swapped" }>

export interface SwapSums {
  readonly zeroForOne: boolean
  readonly feePips: bigint
  /**
   * The marks that were computed so far, starting with the pool's own state. At most one per initialized tick and read
   * word.
   */
  readonly marks: Array<SwapCheckpoint>
}

const INSUFFICIENT: SwapEnd = { _tag: "InsufficientLiquidity" }

const nextCheckpoint = (
  pool: ConcentratedPool,
  { feePips, zeroForOne }: SwapSums,
  from: SwapCheckpoint
): SwapCheckpoint | SwapEnd => {
  const limit = priceLimit(zeroForOne)
  const { liquidity, sqrtPriceX96: price, tick } = from
  // With a fee of 100 %, the pool pays no output.
  if (feePips >= PIPS || (zeroForOne ? price <= limit : price >= limit)) return INSUFFICIENT
  const next = nextTickWithinWord(pool, tick, zeroForOne)
  if (next === null) {
    return { _tag: "TicksMissing", word: tickToWord(zeroForOne ? tick : tick + pool.tickSpacing, pool.tickSpacing) }
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

/** The key is the immutable pool object. The sums are garbage-collected with it. */
const sumsOfPools = new WeakMap<ConcentratedPool, BothDirections>()

const initialSumsOf = (pool: ConcentratedPool, zeroForOne: boolean): SwapSums => {
  const { liquidity, sqrtPriceX96, tick } = pool
  return {
    zeroForOne,
    feePips: BigInt(swapFeePips(pool, zeroForOne)),
    marks: [{ totalIn: 0n, totalOut: 0n, sqrtPriceX96, tick, liquidity, ticksCrossed: 0 }]
  }
}

/** Returns the sums for a pool state and direction, with the marks that earlier swaps have computed. */
export const sumsOf = (pool: ConcentratedPool, zeroForOne: boolean): SwapSums => {
  let bothDirections = sumsOfPools.get(pool)
  if (bothDirections === undefined) {
    bothDirections = { zeroForOne: null, oneForZero: null }
    sumsOfPools.set(pool, bothDirections)
  }
  const direction = zeroForOne ? "zeroForOne" : "oneForZero"
  const sums = bothDirections[direction] ?? initialSumsOf(pool, zeroForOne)
  bothDirections[direction] = sums
  return sums
}

/**
 * Returns the index of the first mark for which a monotone condition is true. Computes further marks until the
 * condition is true. If no further mark is possible, returns the reason.
 */
export const findFirstCheckpoint = (
  hasReached: (mark: SwapCheckpoint) => boolean,
  pool: ConcentratedPool,
  sums: SwapSums
): number | SwapEnd => {
  const { marks } = sums
  let low = 0
  while (!hasReached(marks.at(-1)!)) {
    const mark = nextCheckpoint(pool, sums, marks.at(-1)!)
    if ("_tag" in mark) return mark
    low = marks.push(mark) - 1
  }
  let high = marks.length - 1
  while (low < high) {
    const midpoint = (low + high) >> 1
    if (hasReached(marks[midpoint]!)) high = midpoint
    else low = midpoint + 1
  }
  return low
}
