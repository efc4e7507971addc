import type { Address } from "../../foundation/primitives/index.ts"
import { largestOutputRoundingUp, type Pool, swapThrough } from "../liquidity/index.ts"
import { MAX_HOPS, type PoolGraph } from "./PoolGraph.ts"
import type { Hop, MissingTicks, Path, RouteRequest } from "./Route.ts"

/** A partial path as a linked list of its hops, last hop first. */
interface PartialPath {
  readonly hop: Hop | null
  readonly previous: PartialPath | null
  readonly amount: bigint
  readonly gas: bigint
}

export interface CandidatePath {
  readonly path: Path
  readonly amountOut: bigint
  readonly gas: bigint
}

/** A partial path that needs unread ticks, with an upper bound for its output. */
interface PathWithUnreadTicks extends MissingTicks {
  readonly amountAtMost: bigint
  readonly gas: bigint
}

const pathOf = (partialPath: PartialPath): Path => {
  const hops: Array<Hop> = []
  for (let currentPath: PartialPath | null = partialPath; currentPath !== null; currentPath = currentPath.previous) {
    if (currentPath.hop !== null) hops.push(currentPath.hop)
  }
  return hops.reverse()
}

const compareDescending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/**
 * Extends partial paths by one hop through each pool. A larger input has a larger output, so usually only the partial
 * path with the largest amount is extended. Others are extended only if they need less gas, or if the pool has too
 * little liquidity for the largest amount.
 */
const extendByOneHop = (
  partialPaths: ReadonlyArray<PartialPath>,
  hops: ReadonlyArray<Hop>,
  stateOf: (pool: Pool) => Pool,
  gasOf: (pool: Pool) => bigint,
  unreadPaths: Array<PathWithUnreadTicks>
): ReadonlyArray<PartialPath> => {
  const extendedPaths: Array<PartialPath> = []
  for (const hop of hops) {
    const { pool, zeroForOne } = hop
    const state = stateOf(pool)
    const hopGas = gasOf(pool)
    let minGas: bigint | null = null
    for (const partialPath of partialPaths) {
      if (minGas !== null && partialPath.gas >= minGas) continue
      const outcome = swapThrough(state, zeroForOne, partialPath.amount, true)
      const gas = partialPath.gas + hopGas
      if (outcome._tag === "Swapped") {
        minGas = partialPath.gas
        // The path ends here if the amount is too small to buy one base unit.
        if (outcome.amountOut > 0n) extendedPaths.push({ hop, previous: partialPath, amount: outcome.amountOut, gas })
      } else if (outcome._tag === "TicksMissing" && pool._tag === "Concentrated" && state._tag === "Concentrated") {
        const amountAtMost = largestOutputRoundingUp(state, zeroForOne, partialPath.amount)
        unreadPaths.push({ pool, word: outcome.word, amountAtMost, gas })
      }
    }
  }
  return extendedPaths.sort((a, b) => compareDescending(a.amount, b.amount))
}

export interface PathSearch {
  /** The best path for each last pool and each sequence of tokens, the best of all first. */
  readonly paths: ReadonlyArray<CandidatePath>
  readonly missing: ReadonlyArray<MissingTicks>
}

/**
 * Searches all sequences of at most three hops over different tokens, and returns those through the pools with the
 * highest output after gas. No omitted path has a higher output after gas than the best returned one. It computes about
 * one swap per pool and sequence, instead of one per path.
 */
export const searchPaths = (
  graph: PoolGraph,
  { amountIn, gasOf, hubs, tokenIn, tokenOut }: Omit<RouteRequest, "pools">,
  stateOf: (pool: Pool) => Pool = (pool) => pool
): PathSearch => {
  const completePaths: Array<PartialPath> = []
  const missingTicks: Array<MissingTicks> = []
  const unreadEnds: Array<PathWithUnreadTicks> = []

  const extendPath = (
    token: Address,
    partialPaths: ReadonlyArray<PartialPath>,
    remainingHubs: ReadonlyArray<Address>,
    remainingHops: number
  ): void => {
    for (const end of extendByOneHop(partialPaths, graph(token, tokenOut), stateOf, gasOf, unreadEnds))
      completePaths.push(end)
    if (remainingHops === 1) return
    for (const hub of remainingHubs) {
      const unreadPaths: Array<PathWithUnreadTicks> = []
      const extendedPaths = extendByOneHop(partialPaths, graph(token, hub), stateOf, gasOf, unreadPaths)
      for (const { amountAtMost, gas, pool, word } of unreadPaths) {
        const isBeaten = extendedPaths.some(
          (partialPath) => partialPath.amount >= amountAtMost && partialPath.gas <= gas
        )
        if (!isBeaten) missingTicks.push({ pool, word })
      }
      if (extendedPaths.length === 0) continue
      extendPath(
        hub,
        extendedPaths,
        remainingHubs.filter((other) => other !== hub),
        remainingHops - 1
      )
    }
  }
  const intermediateHubs = hubs.filter((hub) => hub !== tokenIn && hub !== tokenOut)
  extendPath(tokenIn, [{ hop: null, previous: null, amount: amountIn, gas: 0n }], intermediateHubs, MAX_HOPS)

  const paths = completePaths
    .sort((a, b) => compareDescending(a.amount - a.gas, b.amount - b.gas))
    .map((end) => ({ path: pathOf(end), amountOut: end.amount, gas: end.gas }))
  const [best] = paths
  for (const { amountAtMost, gas, pool, word } of unreadEnds) {
    if (best === undefined || amountAtMost - gas > best.amountOut - best.gas) missingTicks.push({ pool, word })
  }
  return { paths, missing: withoutDuplicates(missingTicks) }
}

/**
 * Removes duplicates of the same pool and word. All partial paths through a pool end at the same limit of its read
 * ticks.
 */
export const withoutDuplicates = (missing: ReadonlyArray<MissingTicks>): ReadonlyArray<MissingTicks> => [
  ...new Map(missing.map((ticks) => [`${ticks.pool.id}:${ticks.word}`, ticks])).values()
]
