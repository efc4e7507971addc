import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import type { ConcentratedPool } from "@countersign/core/liquidity"
import { Address, decimalFromBaseUnits, isNativeCoin } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type RouteHop,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { inclusionEstimateMs } from "@countersign/core/user-operations"
import { Effect } from "effect"
import { type ChainDeployment, deploymentOf } from "../deployments/index.ts"
import { type PoolBlock, type PoolKey, PoolReader } from "../pools/index.ts"
import { largestAmountRoundingDown, type Path, pathsBetween, swapAlong } from "./paths.ts"
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

/** Every pool that a route over at most one hub can go through. */
const candidatePools = (
  deployment: ChainDeployment,
  keysOf: (a: Address, b: Address) => ReadonlyArray<PoolKey>,
  tokenIn: Address,
  tokenOut: Address
): Candidates => {
  const hubs = hubsOf(deployment).filter((hub) => hub !== tokenIn && hub !== tokenOut)
  const pairs: ReadonlyArray<readonly [Address, Address]> = [
    [tokenIn, tokenOut],
    ...hubs.flatMap((hub) => [[tokenIn, hub] as const, [hub, tokenOut] as const])
  ]
  return { hubs, keys: pairs.flatMap(([a, b]) => keysOf(a, b)).filter(({ venue }) => venue === NAME) }
}

const hopsOf = (path: Path, tokenIn: Address): ReadonlyArray<PoolHop> => {
  let token = tokenIn
  return path.map((pool) => {
    const next = token === pool.token0 ? pool.token1 : pool.token0
    const hop = { pool: Address.make(pool.id), feePips: pool.feePips, tokenIn: token, tokenOut: next }
    token = next
    return hop
  })
}

/** The pools of a chain for an offer: their state at a block, changed by the earlier swaps of the same operation. */
interface Pools {
  readonly chainId: EvmChainId
  /** Null for the latest block. */
  readonly block: PoolBlock | null
  /** What was read of the block so far, by all offers that follow one another; null where there is no such pool. */
  readonly poolsRead: Map<string, ConcentratedPool | null>
  readonly changedPools: ReadonlyMap<string, ConcentratedPool>
}

/** A way through pools for an amount. */
interface PathSwap {
  /** The pools as they were, and as the swap leaves them. */
  readonly path: Path
  readonly pathAfter: Path
  readonly amountOut: bigint
}

const wrappingHop = ({ tokenIn, tokenOut }: OfferRequest, chainId: EvmChainId): RouteHop => {
  const { address, name } = deploymentOf(chainId).wrappedNative
  return {
    venue: name,
    through: address,
    poolId: null,
    feePips: 0,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address
  }
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

const bestOf = (pathSwaps: ReadonlyArray<PathSwap>): PathSwap | null =>
  pathSwaps.reduce<PathSwap | null>((a, b) => (a === null || b.amountOut > a.amountOut ? b : a), null)

/** Why no path takes the amount. Others are served between one path and the next. */
const whyNothing = Effect.fnUntraced(function* (
  { amountIn, tokenIn: { decimals, symbol } }: OfferRequest,
  paths: ReadonlyArray<Path>,
  pooledTokenIn: Address
) {
  let largest = 0n
  for (const path of paths) {
    const taken = largestAmountRoundingDown(path, pooledTokenIn, amountIn)
    if (taken > largest) largest = taken
    yield* Effect.yieldNow
  }
  const text = (amount: bigint) => `${decimalFromBaseUnits(amount, decimals)} ${symbol}`
  return largest === 0n
    ? `${text(amountIn)} is too small an amount: no pool gives anything for it`
    : `no pool is deep enough for ${text(amountIn)}. The largest amount that works now is ${text(leadingDigits(largest))}`
})

const SHOWN_DIGITS = 2

/** To two digits, rounded down: a pool moves on before anybody has typed more. */
const leadingDigits = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - SHOWN_DIGITS))
  return (amount / unit) * unit
}

/** Swaps through Uniswap V3 pools, quoted by our own math on their state: bit for bit what the pools then do. */
export const make = Effect.gen(function* () {
  const reader = yield* PoolReader

  /** Evaluates the paths and reads more ticks for as long as a path needs them. */
  const evaluate = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    block: PoolBlock,
    initial: ReadonlyArray<Path>,
    tokenIn: Address,
    amountIn: bigint
  ) {
    let paths = initial
    for (let round = 0; ; round++) {
      const outcomes = paths.map((path) => ({ path, outcome: swapAlong(path, tokenIn, amountIn) }))
      const missingTicks = new Map<string, { readonly pool: ConcentratedPool; readonly word: number }>()
      for (const { outcome } of outcomes) {
        if (outcome._tag === "TicksMissing") missingTicks.set(outcome.pool.id, outcome)
      }
      if (missingTicks.size === 0 || round === MAX_WIDENINGS) {
        const swaps = outcomes.flatMap(
          ({ outcome, path }): ReadonlyArray<PathSwap> =>
            outcome._tag === "Swapped" ? [{ path, pathAfter: outcome.path, amountOut: outcome.amountOut }] : []
        )
        return { paths, swaps }
      }
      const widenedPools = yield* Effect.forEach(
        [...missingTicks.values()],
        ({ pool, word }) => reader.widen(chainId, pool, word, block),
        { concurrency: "unbounded" }
      )
      const byId = new Map(widenedPools.flatMap((pool) => (pool === null ? [] : [[pool.id, pool] as const])))
      // A pool that can't be widened further is excluded for this amount.
      const excludedPools = new Set([...missingTicks.keys()].filter((id) => !byId.has(id)))
      paths = paths
        .filter((path) => path.every(({ id }) => !excludedPools.has(id)))
        .map((path) => path.map((pool) => byId.get(pool.id) ?? pool))
    }
  })

  const wrappingOffer = (request: OfferRequest, pools: Pools): Offer => ({
    ...request,
    amountOut: request.amountIn,
    certainty: "EXACT",
    blockNumber: pools.block?.number ?? null,
    route: [{ amountIn: request.amountIn, amountOut: request.amountIn, hops: [wrappingHop(request, pools.chainId)] }],
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

  const poolOffer = (request: OfferRequest, pools: Pools, block: PoolBlock, pathSwap: PathSwap): Offer => {
    const deployment = deploymentOf(pools.chainId)
    const tokenIn = pooledToken(request.tokenIn.address, deployment)
    const hops = hopsOf(pathSwap.path, tokenIn)
    return {
      ...request,
      amountOut: pathSwap.amountOut,
      certainty: "EXACT",
      blockNumber: block.number,
      route: [
        {
          amountIn: request.amountIn,
          amountOut: pathSwap.amountOut,
          hops: hops.map(({ pool, ...hop }) => ({ ...hop, venue: NAME, through: pool, poolId: null }))
        }
      ],
      fees: [],
      executionSeconds: inclusionEstimateMs(pools.chainId) / 1_000,
      stages: [],
      forAmount: Effect.fnUntraced(function* (amountIn) {
        const { swaps } = yield* evaluate(pools.chainId, block, [pathSwap.path], tokenIn, amountIn)
        const [nextSwap] = swaps
        return nextSwap === undefined
          ? yield* noRoute("the amount left after fees is too small to swap")
          : poolOffer({ ...request, amountIn }, pools, block, nextSwap)
      }),
      afterwards: (next) =>
        offerOn(
          {
            ...pools,
            block,
            changedPools: new Map([
              ...pools.changedPools,
              ...pathSwap.pathAfter.map((pool) => [pool.id, pool] as const)
            ])
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
    { block, chainId, changedPools, poolsRead }: Pools,
    keys: ReadonlyArray<PoolKey>
  ) {
    const unreadKeys = keys.filter(({ id }) => !poolsRead.has(id))
    const snapshot =
      block !== null && unreadKeys.length === 0
        ? { block, pools: [] }
        : yield* reader.read(chainId, unreadKeys, block ?? undefined)
    for (const { id } of unreadKeys) poolsRead.set(id, null)
    for (const pool of snapshot.pools) if (pool._tag === "Concentrated") poolsRead.set(pool.id, pool)
    const pools = keys.flatMap(({ id }) => changedPools.get(id) ?? poolsRead.get(id) ?? [])
    return { block: snapshot.block, pools }
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
    const { hubs, keys } = candidatePools(deployment, (a, b) => reader.keys(chainId, a, b), tokenIn, tokenOut)
    const { block, pools: currentPools } = yield* readPools(pools, keys)
    const paths = pathsBetween(currentPools, tokenIn, tokenOut, hubs)
    if (paths.length === 0) {
      return yield* noRoute(`no pool leads from ${request.tokenIn.symbol} to ${request.tokenOut.symbol}`)
    }
    const evaluation = yield* evaluate(chainId, block, paths, tokenIn, request.amountIn)
    const bestSwap = bestOf(evaluation.swaps)
    if (bestSwap !== null) return poolOffer(request, pools, block, bestSwap)
    return yield* noRoute(yield* whyNothing(request, evaluation.paths, tokenIn))
  })

  const provider: SwapProvider = {
    id: "SWAP_PROVIDER_A",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) && chainIdIn === chainIdOut && !isLimitOrder,
    offer: (request) => {
      const { chainId } = request.tokenIn
      return isEvmChainId(chainId) && request.tokenOut.chainId === chainId
        ? offerOn({ chainId, block: null, poolsRead: new Map(), changedPools: new Map() }, request)
        : Effect.fail(noRoute("its pools are on one chain each"))
    }
  }
  return provider
})
