import type { Address } from "../../foundation/primitives/index.ts"
import { largestOutputRoundingUp, type Pool, swapThrough } from "../liquidity/index.ts"
import { MAX_HOPS, type PoolGraph } from "./PoolGraph.ts"
import type { Hop, MissingTicks, Path, RouteRequest } from "./Route.ts"

/** How far an amount has come: the hops so far, the last one first. */
interface Way {
  readonly hop: Hop | null
  readonly previous: Way | null
  readonly amount: bigint
  readonly gas: bigint
}

export interface FoundPath {
  readonly path: Path
  readonly amountOut: bigint
  readonly gas: bigint
}

/** A way that needs ticks which were not read, and the most that it could have given. */
interface UnknownWay extends MissingTicks {
  readonly amountAtMost: bigint
  readonly gas: bigint
}

const pathOf = (way: Way): Path => {
  const hops: Array<Hop> = []
  for (let at: Way | null = way; at !== null; at = at.previous) {
    if (at.hop !== null) hops.push(at.hop)
  }
  return hops.reverse()
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/**
 * One hop further, through each of the pools. A pool gives more for more, so that of all ways to it the one with the
 * largest amount is the best, and the others matter only where they took less gas, or where the pool can't take so much.
 */
const oneHopFurther = (
  ways: ReadonlyArray<Way>,
  hops: ReadonlyArray<Hop>,
  stateOf: (pool: Pool) => Pool,
  gasOf: (pool: Pool) => bigint,
  unknown: Array<UnknownWay>
): ReadonlyArray<Way> => {
  const further: Array<Way> = []
  for (const hop of hops) {
    const { pool, zeroForOne } = hop
    const state = stateOf(pool)
    const gasOfHop = gasOf(pool)
    let leastGas: bigint | null = null
    for (const way of ways) {
      if (leastGas !== null && way.gas >= leastGas) continue
      const outcome = swapThrough(state, zeroForOne, way.amount, true)
      const gas = way.gas + gasOfHop
      if (outcome._tag === "Swapped") {
        leastGas = way.gas
        // An amount too small to buy one unit can't go on.
        if (outcome.amountOut > 0n) further.push({ hop, previous: way, amount: outcome.amountOut, gas })
      } else if (outcome._tag === "TicksMissing" && pool._tag === "Concentrated" && state._tag === "Concentrated") {
        const amountAtMost = largestOutputRoundingUp(state, zeroForOne, way.amount)
        unknown.push({ pool, word: outcome.word, amountAtMost, gas })
      }
    }
  }
  return further.sort((a, b) => descending(a.amount, b.amount))
}

export interface PathSearch {
  /** The best path by each last pool over each sequence of tokens, the best of all first. */
  readonly paths: ReadonlyArray<FoundPath>
  readonly missing: ReadonlyArray<MissingTicks>
}

/**
 * Every sequence of at most three hops over different tokens, each with the pools that give most after gas. Exact: a path
 * that is left out gives no more than one that is kept. It swaps about once for each pool and sequence, and not once for
 * each path.
 */
export const searchPaths = (
  graph: PoolGraph,
  { amountIn, gasOf, hubs, tokenIn, tokenOut }: Omit<RouteRequest, "pools">,
  stateOf: (pool: Pool) => Pool = (pool) => pool
): PathSearch => {
  const ends: Array<Way> = []
  const missing: Array<MissingTicks> = []
  const unknownEnds: Array<UnknownWay> = []

  const goOn = (token: Address, ways: ReadonlyArray<Way>, hubsLeft: ReadonlyArray<Address>, hopsLeft: number): void => {
    for (const end of oneHopFurther(ways, graph(token, tokenOut), stateOf, gasOf, unknownEnds)) ends.push(end)
    if (hopsLeft === 1) return
    for (const hub of hubsLeft) {
      const unknown: Array<UnknownWay> = []
      const further = oneHopFurther(ways, graph(token, hub), stateOf, gasOf, unknown)
      for (const { amountAtMost, gas, pool, word } of unknown) {
        const isBeaten = further.some((way) => way.amount >= amountAtMost && way.gas <= gas)
        if (!isBeaten) missing.push({ pool, word })
      }
      if (further.length === 0) continue
      goOn(
        hub,
        further,
        hubsLeft.filter((other) => other !== hub),
        hopsLeft - 1
      )
    }
  }
  const middle = hubs.filter((hub) => hub !== tokenIn && hub !== tokenOut)
  goOn(tokenIn, [{ hop: null, previous: null, amount: amountIn, gas: 0n }], middle, MAX_HOPS)

  const paths = ends
    .sort((a, b) => descending(a.amount - a.gas, b.amount - b.gas))
    .map((end) => ({ path: pathOf(end), amountOut: end.amount, gas: end.gas }))
  const [best] = paths
  for (const { amountAtMost, gas, pool, word } of unknownEnds) {
    if (best === undefined || amountAtMost - gas > best.amountOut - best.gas) missing.push({ pool, word })
  }
  return { paths, missing: eachOnce(missing) }
}

/** Each pool and word once: all ways to a pool stop where what was read of it ends. */
export const eachOnce = (missing: ReadonlyArray<MissingTicks>): ReadonlyArray<MissingTicks> => [
  ...new Map(missing.map((ticks) => [`${ticks.pool.id}:${ticks.word}`, ticks])).values()
]
