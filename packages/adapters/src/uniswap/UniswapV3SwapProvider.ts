import type { EvmChainId } from "@countersign/core/chains"
import type { Pool } from "@countersign/core/liquidity"
import { type Address, isNativeCoin } from "@countersign/core/primitives"
import { type Route, type RouteHop, RouteNotFound, type RouteRequest, type SwapProvider } from "@countersign/core/swap"
import { Effect } from "effect"
import { type ChainDeployment, deploymentOf } from "../deployments/index.ts"
import { PoolReader } from "./PoolReader.ts"
import { type Path, pathsBetween, swapAlong } from "./paths.ts"
import { type PoolKey, poolKey } from "./poolAddress.ts"
import { routerCalls } from "./routerCalls.ts"
import { isWrapping, wrappingCalls } from "./wrapping.ts"

const NAME = "Uniswap V3"

/** How often a quote may ask for more ticks; each time reads twice as many. */
const MAX_WIDENINGS = 4

/** Tokens that most pools are paired with: what a route goes over when there is no good pool of its own. */
const HUB_SYMBOLS = new Set(["USDC", "USDT", "DAI", "WBTC", "WETH"])

const hubsOf = (deployment: ChainDeployment): ReadonlyArray<Address> => [
  ...new Set([
    deployment.wrappedNative.address,
    ...deployment.tokens.filter(({ symbol }) => HUB_SYMBOLS.has(symbol)).map(({ address }) => address)
  ])
]

/** Pools trade the wrapped coin. */
const pooledToken = (address: Address, { wrappedNative }: ChainDeployment): Address =>
  isNativeCoin(address) ? wrappedNative.address : address

interface Candidates {
  readonly hubs: ReadonlyArray<Address>
  readonly keys: ReadonlyArray<PoolKey>
}

const candidates = new Map<string, Candidates>()
const MAX_REMEMBERED_PAIRS = 10_000

/** Every pool that a route over at most one hub can go through. Their addresses are hashes, so they are remembered. */
const candidatePools = (deployment: ChainDeployment, tokenIn: Address, tokenOut: Address): Candidates => {
  const pair = `${deployment.chainId}:${tokenIn}:${tokenOut}`
  const known = candidates.get(pair)
  if (known !== undefined) return known
  const hubs = hubsOf(deployment).filter((hub) => hub !== tokenIn && hub !== tokenOut)
  const pairs: ReadonlyArray<readonly [Address, Address]> = [
    [tokenIn, tokenOut],
    ...hubs.flatMap((hub) => [[tokenIn, hub] as const, [hub, tokenOut] as const])
  ]
  const { uniswapV3 } = deployment
  const found = {
    hubs,
    keys: pairs.flatMap(([a, b]) => uniswapV3.feeTiers.map((tier) => poolKey(uniswapV3, a, b, tier)))
  }
  if (candidates.size >= MAX_REMEMBERED_PAIRS) candidates.clear()
  candidates.set(pair, found)
  return found
}

const hopsOf = (path: Path, tokenIn: Address): ReadonlyArray<RouteHop> => {
  let token = tokenIn
  return path.map((pool) => {
    const next = token === pool.token0 ? pool.token1 : pool.token0
    const hop = { pool: pool.address, feePips: pool.feePips, tokenIn: token, tokenOut: next }
    token = next
    return hop
  })
}

/** Swaps through Uniswap V3 pools, quoted by our own math on their state: bit for bit what the pools then do. */
export const make = Effect.gen(function* () {
  const reader = yield* PoolReader
  /** The pools as they were read for a route, so that another amount can be computed at the same block. */
  const pathOf = new WeakMap<Route, Path>()

  /** Evaluates the paths and reads more ticks for as long as a path needs them. */
  const evaluate = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    blockNumber: bigint,
    initial: ReadonlyArray<Path>,
    tokenIn: Address,
    amountIn: bigint
  ) {
    let paths = initial
    for (let round = 0; ; round++) {
      const outcomes = paths.map((path) => ({ path, outcome: swapAlong(path, tokenIn, amountIn) }))
      const missing = new Map<Address, { readonly pool: Pool; readonly word: number }>()
      for (const { outcome } of outcomes) {
        if (outcome._tag === "TicksMissing") missing.set(outcome.pool.address, outcome)
      }
      if (missing.size === 0 || round === MAX_WIDENINGS) {
        return outcomes.flatMap(({ outcome, path }) =>
          outcome._tag === "Swapped" ? [{ path, amountOut: outcome.amountOut }] : []
        )
      }
      const widened = yield* Effect.forEach(
        [...missing.values()],
        ({ pool, word }) => reader.widen(chainId, pool, word, blockNumber),
        { concurrency: "unbounded" }
      )
      const byAddress = new Map(widened.flatMap((pool) => (pool === null ? [] : [[pool.address, pool] as const])))
      // A pool that can't be widened further is out of the question for this amount.
      const given = new Set([...missing.keys()].filter((address) => !byAddress.has(address)))
      paths = paths
        .filter((path) => path.every(({ address }) => !given.has(address)))
        .map((path) => path.map((pool) => byAddress.get(pool.address) ?? pool))
    }
  })

  const route = Effect.fn("UniswapV3SwapProvider.route")(function* (request: RouteRequest) {
    const deployment = deploymentOf(request.chainId)
    const tokenIn = pooledToken(request.tokenIn.address, deployment)
    const tokenOut = pooledToken(request.tokenOut.address, deployment)
    if (isWrapping(request, deployment)) {
      return { ...request, blockNumber: 0n, amountOut: request.amountIn, hops: [] }
    }
    const { hubs, keys } = candidatePools(deployment, tokenIn, tokenOut)
    const { blockNumber, pools } = yield* reader.read(request.chainId, keys)
    const paths = pathsBetween(pools, tokenIn, tokenOut, hubs)
    if (paths.length === 0) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: `no pool leads from ${request.tokenIn.symbol} to ${request.tokenOut.symbol}`
      })
    }
    const swapped = yield* evaluate(request.chainId, blockNumber, paths, tokenIn, request.amountIn)
    const best = swapped.reduce<(typeof swapped)[number] | null>(
      (a, b) => (a === null || b.amountOut > a.amountOut ? b : a),
      null
    )
    if (best === null) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: "no pool gives anything for this amount: it is too small, or no pool is deep enough"
      })
    }
    const found: Route = { ...request, blockNumber, amountOut: best.amountOut, hops: hopsOf(best.path, tokenIn) }
    pathOf.set(found, best.path)
    return found
  })

  const reroute = Effect.fnUntraced(function* (known: Route, amountIn: bigint) {
    if (amountIn === known.amountIn) return known
    const path = pathOf.get(known)
    if (path === undefined) return { ...known, amountIn, amountOut: amountIn }
    const tokenIn = pooledToken(known.tokenIn.address, deploymentOf(known.chainId))
    const [outcome] = yield* evaluate(known.chainId, known.blockNumber, [path], tokenIn, amountIn)
    if (outcome === undefined) {
      return yield* new RouteNotFound({ provider: NAME, reason: "the amount left after fees is too small to swap" })
    }
    const rerouted: Route = { ...known, amountIn, amountOut: outcome.amountOut }
    pathOf.set(rerouted, outcome.path)
    return rerouted
  })

  const provider: SwapProvider = {
    id: "SWAP_PROVIDER_A",
    name: NAME,
    serves: () => true,
    route,
    reroute,
    calls: (known, execution) => {
      const deployment = deploymentOf(known.chainId)
      return known.hops.length === 0
        ? wrappingCalls(deployment, known, execution)
        : routerCalls(deployment, known, execution)
    }
  }
  return provider
})
