import { swapThrough } from "../liquidity/index.ts"
import type { Path } from "./Route.ts"
import type { Share, Swapped } from "./swapParts.ts"

/*
 * Only the division of the amount is balanced, and floats are near enough for that: amounts stay integers that add up,
 * and what they give is computed from them exactly.
 */

/** Slopes that differ by less are equal: no exchange between them can gain more than half of this. */
const TOLERANCE = 1e-5
const MAX_TRIALS = 12
/** A path that would keep less than this part of its share is left out. */
const LEAST_KEPT = 2 ** -10
const SHARE_BITS = 40
/** The paths that could take more. */
const FULL_GAP = 1e-3
const ROUNDS_OF_A_SHARE = 4
const MAX_STEPS = 8
const PROBE_BITS = 8n
const PROBE = 2 ** -8

export interface Measured {
  /** Of each share, within a few units of what its path gives after the shares before it. */
  readonly outputs: ReadonlyArray<bigint>
  /** Of each share: what its path gives for the next bit of input, at the end of all. */
  readonly slopes: ReadonlyArray<number>
  /** The total that goes through each pool, by the pool's id, as one swap. */
  readonly swaps: ReadonlyMap<string, Swapped>
}

/**
 * Near enough for a search, and quick: shares that go through the same pool are taken for one swap of it, whose first part
 * is the earlier one's. Null where a pool does not take its share, or is not known that far.
 */
export const measure = (shares: ReadonlyArray<Share>): Measured | null => {
  const swaps = new Map<string, Swapped>()
  const outputs: Array<bigint> = []
  for (const { amountIn, path } of shares) {
    let amount = amountIn
    for (const { pool, zeroForOne } of path) {
      const before = swaps.get(pool.id)
      const outcome = swapThrough(pool, zeroForOne, amount + (before?.amountIn ?? 0n), true)
      if (outcome._tag !== "Swapped") return null
      swaps.set(pool.id, outcome)
      amount = outcome.amountOut - (before?.amountOut ?? 0n)
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

/** Shares with a part of one of them moved to another. */
const moved = (shares: ReadonlyArray<Share>, from: number, to: number, part: number): ReadonlyArray<Share> => {
  const amount = (shares[from]!.amountIn * BigInt(Math.round(part * 2 ** SHARE_BITS))) >> BigInt(SHARE_BITS)
  return shares.map(({ amountIn, path }, i) => ({
    path,
    amountIn: i === from ? amountIn - amount : i === to ? amountIn + amount : amountIn
  }))
}

const withoutEmpty = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> =>
  shares.filter(({ amountIn }) => amountIn > 0n)

interface Exchange {
  readonly shares: ReadonlyArray<Share>
  /** How far the slopes are apart, as a logarithm. More than nothing where the taking path is full. */
  readonly gap: number
}

/**
 * Moves input from the share with the lowest slope to the one with the highest until both are equal: a false position that
 * halves the end which stays (Illinois), and halves the interval where one end takes no swap at all.
 */
const evenOut = (shares: ReadonlyArray<Share>, from: number, to: number, gap: number): Exchange => {
  const gapAt = (part: number): number => {
    const slopes = measure(moved(shares, from, to, part))?.slopes
    return slopes === undefined ? Number.NEGATIVE_INFINITY : Math.log(slopes[to]! / slopes[from]!)
  }
  let low = { part: 0, gap, weight: gap }
  let high = { part: 1 - LEAST_KEPT, weight: gapAt(1 - LEAST_KEPT) }
  if (high.weight >= 0) return { shares: withoutEmpty(moved(shares, from, to, 1)), gap: 0 }
  let wasLow: boolean | null = null
  for (let trial = 0; trial < MAX_TRIALS && low.gap > TOLERANCE; trial++) {
    const part =
      high.weight === Number.NEGATIVE_INFINITY
        ? (low.part + high.part) / 2
        : (low.part * high.weight - high.part * low.weight) / (high.weight - low.weight)
    const found = gapAt(part)
    const isLow = found >= 0
    // The end that stays for a second time counts half.
    const weightOfOther = isLow === wasLow ? 0.5 : 1
    if (isLow) {
      low = { part, gap: found, weight: found }
      high = { ...high, weight: high.weight * weightOfOther }
    } else {
      high = { part, weight: found }
      low = { ...low, weight: low.weight * weightOfOther }
    }
    wasLow = isLow
  }
  return { shares: moved(shares, from, to, low.part), gap: low.gap }
}

const gapOf = (slopes: ReadonlyArray<number>): number => Math.log(Math.max(...slopes) / Math.min(...slopes))

/** The amount divided in proportion to weights; what rounding leaves goes to the first. */
const divided = (shares: ReadonlyArray<Share>, weights: ReadonlyArray<number>): ReadonlyArray<Share> => {
  const amount = shares.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map(
    (weight) => (amount * BigInt(Math.floor((weight / total) * 2 ** SHARE_BITS))) >> BigInt(SHARE_BITS)
  )
  const rest = amount - parts.reduce((sum, part) => sum + part, 0n)
  return shares.map(({ path }, i) => ({ path, amountIn: i === 0 ? parts[i]! + rest : parts[i]! }))
}

/**
 * One step of Newton's method for all shares at once. How fast each slope falls is seen from shares that are all a little
 * smaller, which every pool takes.
 */
const closer = (shares: ReadonlyArray<Share>, slopes: ReadonlyArray<number>): ReadonlyArray<Share> | null => {
  const smaller = measure(
    shares.map((share) => ({ ...share, amountIn: share.amountIn - (share.amountIn >> PROBE_BITS) }))
  )
  if (smaller === null) return null
  const amounts = shares.map(({ amountIn }) => Number(amountIn))
  /** Input that changes the logarithm of the slope by one. */
  const depths = amounts.map((amount, i) => (amount * PROBE) / Math.log(smaller.slopes[i]! / slopes[i]!))
  const total = depths.reduce((sum, depth) => sum + depth, 0)
  const level = depths.reduce((sum, depth, i) => sum + depth * Math.log(slopes[i]!), 0) / total
  const weights = amounts.map((amount, i) =>
    Math.max(amount / 16, amount + depths[i]! * (Math.log(slopes[i]!) - level))
  )
  return weights.every((weight) => Number.isFinite(weight) && weight > 0) ? divided(shares, weights) : null
}

/** Steps of Newton's method as long as they bring the slopes together. They do not where a pool is used to its end. */
const approached = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> => {
  let current = shares
  let slopes = measure(current)?.slopes
  for (let step = 0; step < MAX_STEPS && slopes !== undefined && gapOf(slopes) > TOLERANCE; step++) {
    const next = closer(current, slopes)
    const nextSlopes = next === null ? undefined : measure(next)?.slopes
    if (next === null || nextSlopes === undefined || gapOf(nextSlopes) > gapOf(slopes)) break
    current = next
    slopes = nextSlopes
  }
  return current
}

interface Pair {
  readonly from: Path
  readonly to: Path
}

/** The two shares whose slopes are furthest apart, of those between which an exchange is open. */
const furthestApart = (shares: ReadonlyArray<Share>, slopes: ReadonlyArray<number>, closed: ReadonlyArray<Pair>) => {
  let furthest = { from: 0, to: 0, gap: 0 }
  for (const [from, giving] of shares.entries()) {
    for (const [to, taking] of shares.entries()) {
      const gap = Math.log(slopes[to]! / slopes[from]!)
      if (gap <= furthest.gap || closed.some((pair) => pair.from === giving.path && pair.to === taking.path)) continue
      furthest = { from, to, gap }
    }
  }
  return furthest
}

/**
 * The same paths, with the amount divided so that the next bit of input gives as much on each: no other division gives
 * more. Paths that share a pool are measured on what all of them together leave of it, which holds for them too. A path
 * that is worth nothing is left out, and one that can take no more keeps what it has.
 */
export const balanced = (shares: ReadonlyArray<Share>): ReadonlyArray<Share> => {
  let current = approached(shares)
  const closed: Array<Pair> = []
  for (let round = 0; round < ROUNDS_OF_A_SHARE * shares.length; round++) {
    const slopes = measure(current)?.slopes
    if (slopes === undefined) return current
    const { from, gap, to } = furthestApart(current, slopes, closed)
    if (gap < TOLERANCE) return current
    const next = evenOut(current, from, to, gap)
    if (next.gap > FULL_GAP) closed.push({ from: current[from]!.path, to: current[to]!.path })
    current = next.shares
  }
  return current
}
