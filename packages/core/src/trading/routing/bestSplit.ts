import type { Pool } from "../liquidity/index.ts"
import { balanceShares, type Measurement, measure } from "./balance.ts"
import { graphOf, type PoolGraph } from "./PoolGraph.ts"
import { searchPaths, withoutDuplicates } from "./pathSearch.ts"
import { type MissingTicks, netOf, type Path, type Route, type RouteRequest, type Routing } from "./Route.ts"
import { pathsGas, routeOf, type Share, swapParts } from "./swapParts.ts"

const MAX_PARTS = 6
/**
 * Denominators of the slice of the amount that tests a new path. Once no further path gains with the larger slice, the
 * smaller one is tested.
 */
const SLICES = [32n, 1_024n] as const
/** The search ends after this number of new paths that gain less than their gas costs. */
const MAX_REJECTED = 3

const noGas = () => 0n

const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every(({ pool }, i) => pool === b[i]!.pool)

/** Returns whether two paths use a pool in opposite directions, so that their swaps cancel each other. */
const usesOppositeDirection = (a: Path, b: Path): boolean =>
  a.some(({ pool, zeroForOne }) => b.some((hop) => hop.pool === pool && hop.zeroForOne !== zeroForOne))

interface Candidate {
  readonly shares: ReadonlyArray<Share>
  /** The output minus gas. Exact to a few base units. */
  readonly net: bigint
  readonly missing: ReadonlyArray<MissingTicks>
}

interface Additions {
  readonly divisions: ReadonlyArray<ReadonlyArray<Share>>
  readonly missing: ReadonlyArray<MissingTicks>
}

const NO_ADDITIONS: Additions = { divisions: [], missing: [] }

/**
 * Returns splits with one additional path, the best one first. The new path receives a slice of every share, so that
 * pools whose liquidity is used up can swap again. Excludes a path whose output for the slices is lower than that of
 * the worst share, and a path whose gain can't cover its gas.
 */
const addPath = (graph: PoolGraph, request: RouteRequest, shares: ReadonlyArray<Share>, slices: bigint): Additions => {
  const remainingShares = shares.map(({ amountIn, path }) => ({ path, amountIn: amountIn - amountIn / slices }))
  const amountIn = request.amountIn - remainingShares.reduce((sum, share) => sum + share.amountIn, 0n)
  const measurement = measure(remainingShares)
  if (measurement === null || amountIn === 0n) return NO_ADDITIONS
  const poolsAfter = new Map<string, Pool>()
  const stateOf = (pool: Pool): Pool => {
    const state = poolsAfter.get(pool.id) ?? measurement.swaps.get(pool.id)?.poolAfter() ?? pool
    poolsAfter.set(pool.id, state)
    return state
  }
  const minOut = Number(amountIn) * Math.min(...measurement.slopes)
  const { missing, paths } = searchPaths(graph, { ...request, amountIn, gasOf: noGas }, stateOf)
  const divisions = paths.flatMap(({ amountOut, path }) => {
    // The first slice gains the most. So its gain, multiplied by the number of slices, is an upper bound.
    const maxGain = (Number(amountOut) - minOut) * Number(slices)
    const coversGas = maxGain > Number(pathsGas([path], request.gasOf))
    const isCompatible = shares.every((share) => !isSame(share.path, path) && !usesOppositeDirection(share.path, path))
    return coversGas && isCompatible ? [[...remainingShares, { path, amountIn }]] : []
  })
  return { divisions, missing }
}

/** Removes a share. The first remaining share receives its input. */
const removeShare = (shares: ReadonlyArray<Share>, removedShare: Share): ReadonlyArray<Share> => {
  const [first, ...others] = shares.filter((share) => share !== removedShare)
  return [{ path: first!.path, amountIn: first!.amountIn + removedShare.amountIn }, ...others]
}

const netOfShares = (shares: ReadonlyArray<Share>, { outputs }: Measurement, { gasOf }: RouteRequest): bigint =>
  outputs.reduce((sum, output) => sum + output, 0n) -
  pathsGas(
    shares.map(({ path }) => path),
    gasOf
  )

/** Balances `others`, and returns either them or the candidate, whichever has the higher output after gas. */
const betterCandidate = (candidate: Candidate, others: ReadonlyArray<Share>, request: RouteRequest): Candidate => {
  const shares = balanceShares(others)
  const measurement = measure(shares)
  if (measurement === null) return candidate
  const net = netOfShares(shares, measurement, request)
  return net > candidate.net ? { ...candidate, shares, net } : candidate
}

/** Adds paths while the gain of each exceeds its gas cost. */
const addPaths = (start: Candidate, graph: PoolGraph, request: RouteRequest): Candidate => {
  const rejectedPaths: Array<Path> = []
  const isNew = (shares: ReadonlyArray<Share>) => !rejectedPaths.some((path) => isSame(path, shares.at(-1)!.path))
  let candidate = start
  for (const slices of SLICES) {
    for (let previousCount = 0; previousCount < candidate.shares.length && candidate.shares.length < MAX_PARTS; ) {
      previousCount = candidate.shares.length
      const { divisions, missing } = addPath(graph, request, candidate.shares, slices)
      candidate = { ...candidate, missing: [...candidate.missing, ...missing] }
      for (const shares of divisions.filter(isNew)) {
        if (rejectedPaths.length === MAX_REJECTED) break
        const next = betterCandidate(candidate, shares, request)
        if (next !== candidate) {
          candidate = next
          break
        }
        rejectedPaths.push(shares.at(-1)!.path)
      }
    }
  }
  return candidate
}

/**
 * Returns the shares whose input would have a higher output in another share, at that share's current marginal output.
 * Marginal outputs decrease, so this is an upper bound.
 */
const removableShares = (shares: ReadonlyArray<Share>, { gasOf }: RouteRequest): ReadonlyArray<Share> => {
  const measurement = measure(shares)
  if (measurement === null) return []
  return shares.filter(({ amountIn, path }, i) => {
    const maxOtherSlope = Math.max(...measurement.slopes.filter((_, j) => j !== i))
    return Number(measurement.outputs[i]! - pathsGas([path], gasOf)) < Number(amountIn) * maxOtherSlope
  })
}

/** Removes paths that no longer cover their gas because other paths were added. */
const prunePaths = (start: Candidate, request: RouteRequest): Candidate =>
  (start.shares.length > 2 ? removableShares(start.shares, request) : []).reduce(
    (current, share) =>
      current.shares.length > 2 && current.shares.includes(share)
        ? betterCandidate(current, removeShare(current.shares, share), request)
        : current,
    start
  )

/** A larger ratio between slopes shows that a pool's limit prevented equal slopes. */
const BLOCKED_GAP = 1.001

/** Returns the unread ticks that prevented a larger share for the best paths. */
const blockingTicks = (shares: ReadonlyArray<Share>, slice: bigint): ReadonlyArray<MissingTicks> => {
  const slopes = measure(shares)?.slopes ?? []
  const [highest, lowest] = [Math.max(...slopes), Math.min(...slopes)]
  if (shares.length < 2 || highest < lowest * BLOCKED_GAP) return []
  const outcome = swapParts(
    shares.map((share, i) => (slopes[i] === highest ? { ...share, amountIn: share.amountIn + slice } : share))
  )
  return outcome._tag === "TicksMissing" ? [outcome] : []
}

/**
 * Splits the amount over up to six paths by their marginal outputs, if the total output after gas is higher than with
 * the best single path. Paths may share pools: each part is computed on the state that the parts before it leave.
 */
export const bestSplit = (request: RouteRequest): Routing => {
  const graph = graphOf(request.pools)
  const { missing, paths } = searchPaths(graph, request)
  const [best] = paths
  if (best === undefined) return { route: null, missing }
  const singlePathShares = [{ path: best.path, amountIn: request.amountIn }]
  const start = { shares: singlePathShares, net: best.amountOut - best.gas, missing }
  const bestCandidate = prunePaths(addPaths(start, graph, request), request)
  const blocked = blockingTicks(bestCandidate.shares, request.amountIn / SLICES[0])
  const routes = [...new Set([singlePathShares, bestCandidate.shares])].flatMap(
    (shares) => routeOf(shares, request.gasOf) ?? []
  )
  return {
    route: routes.reduce<Route | null>((a, b) => (a !== null && netOf(a) >= netOf(b) ? a : b), null),
    missing: withoutDuplicates([...bestCandidate.missing, ...blocked])
  }
}
