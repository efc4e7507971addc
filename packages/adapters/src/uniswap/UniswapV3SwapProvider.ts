import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import type { Pool } from "@countersign/core/liquidity"
import { type Address, isNativeCoin } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { inclusionEstimateMs } from "@countersign/core/user-operations"
import { Effect } from "effect"
import { type ChainDeployment, deploymentOf } from "../deployments/index.ts"
import { PoolReader } from "./PoolReader.ts"
import { type Path, pathsBetween, swapAlong } from "./paths.ts"
import { type PoolKey, poolKey } from "./poolAddress.ts"
import { type PoolHop, routerCalls } from "./routerCalls.ts"
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

const hopsOf = (path: Path, tokenIn: Address): ReadonlyArray<PoolHop> => {
  let token = tokenIn
  return path.map((pool) => {
    const next = token === pool.token0 ? pool.token1 : pool.token0
    const hop = { pool: pool.address, feePips: pool.feePips, tokenIn: token, tokenOut: next }
    token = next
    return hop
  })
}

/** The pools of a chain as an offer is computed on them: those of a block, but for what was swapped through them since. */
interface Pools {
  readonly chainId: EvmChainId
  /** Null for the latest block. */
  readonly blockNumber: bigint | null
  /** What was read of the block so far, by all offers that follow one another; null where there is no such pool. */
  readonly seen: Map<Address, Pool | null>
  readonly changed: ReadonlyMap<Address, Pool>
}

/** A way through pools for an amount. */
interface Swapped {
  /** The pools as they were, and as the swap leaves them. */
  readonly path: Path
  readonly left: Path
  readonly amountOut: bigint
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

const best = (swapped: ReadonlyArray<Swapped>): Swapped | null =>
  swapped.reduce<Swapped | null>((a, b) => (a === null || b.amountOut > a.amountOut ? b : a), null)

/** Swaps through Uniswap V3 pools, quoted by our own math on their state: bit for bit what the pools then do. */
export const make = Effect.gen(function* () {
  const reader = yield* PoolReader

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
        return outcomes.flatMap(
          ({ outcome, path }): ReadonlyArray<Swapped> =>
            outcome._tag === "Swapped" ? [{ path, left: outcome.path, amountOut: outcome.amountOut }] : []
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

  const wrappingOffer = (request: OfferRequest, pools: Pools): Offer => ({
    ...request,
    amountOut: request.amountIn,
    certainty: "EXACT",
    blockNumber: pools.blockNumber,
    hops: [],
    fees: [],
    executionSeconds: inclusionEstimateMs(pools.chainId) / 1_000,
    stages: [],
    forAmount: (amountIn) => Effect.succeed(wrappingOffer({ ...request, amountIn }, pools)),
    afterwards: (next) => offerOn(pools, next),
    intent: {
      _tag: "Calls",
      calls: (terms) => Effect.sync(() => wrappingCalls(deploymentOf(pools.chainId), request, terms))
    }
  })

  const poolOffer = (request: OfferRequest, pools: Pools, blockNumber: bigint, swapped: Swapped): Offer => {
    const deployment = deploymentOf(pools.chainId)
    const tokenIn = pooledToken(request.tokenIn.address, deployment)
    const hops = hopsOf(swapped.path, tokenIn)
    return {
      ...request,
      amountOut: swapped.amountOut,
      certainty: "EXACT",
      blockNumber,
      hops: hops.map(({ pool, ...hop }) => ({ ...hop, through: pool })),
      fees: [],
      executionSeconds: inclusionEstimateMs(pools.chainId) / 1_000,
      stages: [],
      forAmount: Effect.fnUntraced(function* (amountIn) {
        const [outcome] = yield* evaluate(pools.chainId, blockNumber, [swapped.path], tokenIn, amountIn)
        return outcome === undefined
          ? yield* noRoute("the amount left after fees is too small to swap")
          : poolOffer({ ...request, amountIn }, pools, blockNumber, outcome)
      }),
      afterwards: (next) =>
        offerOn(
          {
            ...pools,
            blockNumber,
            changed: new Map([...pools.changed, ...swapped.left.map((pool) => [pool.address, pool] as const)])
          },
          next
        ),
      intent: {
        _tag: "Calls",
        calls: (terms) => Effect.sync(() => routerCalls(deployment, request, hops, terms))
      }
    }
  }

  /** The block, and those of the pools that exist, as what was swapped before leaves them. */
  const readPools = Effect.fnUntraced(function* (
    { blockNumber, chainId, changed, seen }: Pools,
    keys: ReadonlyArray<PoolKey>
  ) {
    const unseen = keys.filter(({ address }) => !seen.has(address))
    const read =
      blockNumber !== null && unseen.length === 0
        ? { blockNumber, pools: [] }
        : yield* reader.read(chainId, unseen, blockNumber ?? undefined)
    for (const { address } of unseen) seen.set(address, null)
    for (const pool of read.pools) seen.set(pool.address, pool)
    const pools = keys.flatMap(({ address }) => changed.get(address) ?? seen.get(address) ?? [])
    return { blockNumber: read.blockNumber, pools }
  })

  const offerOn = Effect.fn("UniswapV3SwapProvider.offer")(function* (
    pools: Pools,
    request: OfferRequest
  ): Effect.fn.Return<Offer, OfferError> {
    const { chainId } = pools
    const deployment = deploymentOf(chainId)
    if (isWrapping(request, deployment)) return wrappingOffer(request, pools)
    const tokenIn = pooledToken(request.tokenIn.address, deployment)
    const tokenOut = pooledToken(request.tokenOut.address, deployment)
    const { hubs, keys } = candidatePools(deployment, tokenIn, tokenOut)
    const { blockNumber, pools: current } = yield* readPools(pools, keys)
    const paths = pathsBetween(current, tokenIn, tokenOut, hubs)
    if (paths.length === 0) {
      return yield* noRoute(`no pool leads from ${request.tokenIn.symbol} to ${request.tokenOut.symbol}`)
    }
    const found = best(yield* evaluate(chainId, blockNumber, paths, tokenIn, request.amountIn))
    return found === null
      ? yield* noRoute("no pool gives anything for this amount: it is too small, or no pool is deep enough")
      : poolOffer(request, pools, blockNumber, found)
  })

  const provider: SwapProvider = {
    id: "SWAP_PROVIDER_A",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) && chainIdIn === chainIdOut && !isLimitOrder,
    offer: (request) => {
      const { chainId } = request.tokenIn
      return isEvmChainId(chainId) && request.tokenOut.chainId === chainId
        ? offerOn({ chainId, blockNumber: null, seen: new Map(), changed: new Map() }, request)
        : Effect.fail(noRoute("its pools are on one chain each"))
    }
  }
  return provider
})
