import { swapThrough } from "../liquidity/index.ts"
import type { Path } from "./Route.ts"
import type { CompletedSwap, Share } from "./swapParts.ts"

/*
 * Floating-point numbers are precise enough here, because they only determine how the amount is split. The amounts are
 * integers with an exact sum, and their outputs are computed exactly.
 */

/**
 * Smaller relative differences between slopes are treated as zero. Shifting input could gain at most half of this
 * fraction.
 */
const TOLERANCE = 1e-5
const MAX_TRIALS = 12
/** A path is removed if less than this fraction of its share remains. */
const MIN_REMAINING_SHARE = 2 ** -10
const SHARE_BITS = 40
/** Minimum logarithmic slope difference that justifies a shift to a path that can't take the complete shift. */
const MIN_BLOCKED_GAP = 1e-3
const ROUNDS_PER_SHARE = 4
const MAX_STEPS = 8
const PROBE_BITS = 8n
const PROBE = 2 ** -8

export interface Measurement {
  /** The approximate output of each share, swapped after the shares before it. Exact to a few base units. */
  readonly outputs: ReadonlyArray<bigint>
  /** The slope of each share: its marginal output after all shares were swapped. */
  readonly slopes: ReadonlyArray<number>
  /** The combined swap of all shares through each pool, keyed by pool id. */
  readonly swaps: ReadonlyMap<string, CompletedSwap>
}

/**
 * Computes an approximation that is fast enough for the search. Shares through the same pool are computed as one swap,
 * and the earlier share receives the first part of its output. Null if a pool has too little liquidity for its share,
 * if the output of a hop is zero, or if the swap needs unread ticks.
 */
export const measure = (shares: ReadonlyArray<Share>): Measurement | null => {
  const swaps = new Map<string, CompletedSwap>()
  const outputs: Array<bigint> = []
  for (const { amountIn, path } of shares) {
    let amount = amountIn
    for (const { pool, zeroForOne } of path) {
      const swapBefore = swaps.get(pool.id)
      const outcome = swapThrough(pool, zeroForOne, amount + (swapBefore?.amountIn ?? 0n), true)
      if (outcome._tag !== "Swapped") return null
      swaps.set(pool.id, outcome)
      amount = outcome.amountOut - (swapBefore?.amountOut ?? 0n)
      if (amount === 0n) return null
    }
    outputs.push(amount)
  }
  const slopeOf = (path: Path) =>
    path.reduce((slope, { pool }) => {
      const { denominator, numerator } = swaps.get(pool.id)!.marginalOutput()
      return (slope * Number(numerator)) / Number(denominator)
    }, 1)
  return { outputs, slopes: shares.map(({ path }) => slopeOf(path)), swaps }
}

/** Returns the shares after shifting the fraction `part` of one share to another. */
const shiftShare = (shares: ReadonlyArray<Share>, from: number, to: number, fraction: number): ReadonlyArray<Share> => {
  const amount = (shares[from]!.amountIn * BigInt(Math.round(fraction * 2 ** SHARE_BITS))) >> BigInt(SHARE_BITS)
  return shares.map(({ amountIn, path }, i) => ({
    path,
    amountIn: i === from ? amountIn - amount : i === to ? amountIn + amount : amountIn
  }))
}

const withoutEmptyShares = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> =>
  shares.filter(({ amountIn }) => amountIn > 0n)

interface ShiftResult {
  readonly shares: ReadonlyArray<Share>
  /** Logarithmic difference of the two slopes. It stays positive if the receiving path can't take more input. */
  readonly gap: number
}

/**
 * Shifts input from the share with the lowest slope to the share with the highest slope, until the slopes are equal. It
 * uses the Illinois variant of the false position method, and bisection while one end of the interval can't be swapped.
 */
const equalizeSlopes = (shares: ReadonlyArray<Share>, from: number, to: number, gap: number): ShiftResult => {
  const slopeGapAt = (part: number): number => {
    const slopes = measure(shiftShare(shares, from, to, part))?.slopes
    return slopes === undefined ? Number.NEGATIVE_INFINITY : Math.log(slopes[to]! / slopes[from]!)
  }
  let low = { part: 0, gap, weight: gap }
  let high = { part: 1 - MIN_REMAINING_SHARE, weight: slopeGapAt(1 - MIN_REMAINING_SHARE) }
  if (high.weight >= 0) return { shares: withoutEmptyShares(shiftShare(shares, from, to, 1)), gap: 0 }
  let replacedLowEnd: boolean | null = null
  for (let trial = 0; trial < MAX_TRIALS && low.gap > TOLERANCE; trial++) {
    const part =
      high.weight === Number.NEGATIVE_INFINITY
        ? (low.part + high.part) / 2
        : (low.part * high.weight - high.part * low.weight) / (high.weight - low.weight)
    const gapAtPart = slopeGapAt(part)
    const replacesLowEnd = gapAtPart >= 0
    // Illinois variant: an end that is retained twice in a row gets half the weight.
    const weightOfOther = replacesLowEnd === replacedLowEnd ? 0.5 : 1
    if (replacesLowEnd) {
      low = { part, gap: gapAtPart, weight: gapAtPart }
      high = { ...high, weight: high.weight * weightOfOther }
    } else {
      high = { part, weight: gapAtPart }
      low = { ...low, weight: low.weight * weightOfOther }
    }
    replacedLowEnd = replacesLowEnd
  }
  return { shares: shiftShare(shares, from, to, low.part), gap: low.gap }
}

const gapOf = (slopes: ReadonlyArray<number>): number => Math.log(Math.max(...slopes) / Math.min(...slopes))

/** Splits the amount in proportion to the weights. The first share receives the rounding remainder. */
const divideAmount = (shares: ReadonlyArray<Share>, weights: ReadonlyArray<number>): ReadonlyArray<Share> => {
  const amount = shares.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const amounts = weights.map(
    (weight) => (amount * BigInt(Math.floor((weight / total) * 2 ** SHARE_BITS))) >> BigInt(SHARE_BITS)
  )
  const remainder = amount - amounts.reduce((sum, part) => sum + part, 0n)
  return shares.map(({ path }, i) => ({ path, amountIn: i === 0 ? amounts[i]! + remainder : amounts[i]! }))
}

/**
 * Computes one step of Newton's method for all shares. The derivatives of the slopes are estimated from slightly
 * smaller shares, for which every pool has enough liquidity.
 */
const newtonStep = (shares: ReadonlyArray<Share>, slopes: ReadonlyArray<number>): ReadonlyArray<Share> | null => {
  const smallerMeasurement = measure(
    shares.map((share) => ({ ...share, amountIn: share.amountIn - (share.amountIn >> PROBE_BITS) }))
  )
  if (smallerMeasurement === null) return null
  const amounts = shares.map(({ amountIn }) => Number(amountIn))
  /** The change of the input that changes the logarithm of the slope by one. */
  const depths = amounts.map((amount, i) => (amount * PROBE) / Math.log(smallerMeasurement.slopes[i]! / slopes[i]!))
  const total = depths.reduce((sum, depth) => sum + depth, 0)
  const level = depths.reduce((sum, depth, i) => sum + depth * Math.log(slopes[i]!), 0) / total
  const weights = amounts.map((amount, i) =>
    Math.max(amount / 16, amount + depths[i]! * (Math.log(slopes[i]!) - level))
  )
  return weights.every((weight) => Number.isFinite(weight) && weight > 0) ? divideAmount(shares, weights) : null
}

/**
 * Repeats steps of Newton's method while they reduce the slope difference. A step does not reduce it if a pool's
 * liquidity is used up.
 */
const newtonSteps = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> => {
  let currentShares = shares
  let slopes = measure(currentShares)?.slopes
  for (let step = 0; step < MAX_STEPS && slopes !== undefined && gapOf(slopes) > TOLERANCE; step++) {
    const next = newtonStep(currentShares, slopes)
    const nextSlopes = next === null ? undefined : measure(next)?.slopes
    if (next === null || nextSlopes === undefined || gapOf(nextSlopes) > gapOf(slopes)) break
    currentShares = next
    slopes = nextSlopes
  }
  return currentShares
}

interface Pair {
  readonly from: Path
  readonly to: Path
}

/** Returns the two shares with the largest slope difference, among those between which input can still be shifted. */
const pairWithLargestGap = (
  shares: ReadonlyArray<Share>,
  slopes: ReadonlyArray<number>,
  closedPairs: ReadonlyArray<Pair>
) => {
  let widestPair = { from: 0, to: 0, gap: 0 }
  for (const [from, fromShare] of shares.entries()) {
    for (const [to, toShare] of shares.entries()) {
      const gap = Math.log(slopes[to]! / slopes[from]!)
      if (gap <= widestPair.gap || closedPairs.some((pair) => pair.from === fromShare.path && pair.to === toShare.path))
        continue
      widestPair = { from, to, gap }
    }
  }
  return widestPair
}

/**
 * Splits the amount over the same paths so that their marginal outputs are about equal, which gives the highest output.
 * Paths that share a pool are measured on the pool's state after all of them. Removes a path that gains nothing. A path
 * that can't take more input keeps its share.
 */
export const balanceShares = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> => {
  let currentShares = newtonSteps(shares)
  const closedPairs: Array<Pair> = []
  for (let round = 0; round < ROUNDS_PER_SHARE * shares.length; round++) {
    const slopes = measure(currentShares)?.slopes
    if (slopes === undefined) return currentShares
    const { from, gap, to } = pairWithLargestGap(currentShares, slopes, closedPairs)
    if (gap < TOLERANCE) return currentShares
    const next = equalizeSlopes(currentShares, from, to, gap)
    if (next.gap > MIN_BLOCKED_GAP) closedPairs.push({ from: currentShares[from]!.path, to: currentShares[to]!.path })
    currentShares = next.shares
  }
  return currentShares
}
