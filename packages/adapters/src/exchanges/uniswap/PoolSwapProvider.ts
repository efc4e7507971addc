import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { inclusionEstimateMs } from "@countersign/core/operations/user-operations"
import type { Pool } from "@countersign/core/trading/liquidity"
import {
  bestPath,
  bestSplit,
  priceImpactE18RoundingUp,
  type Route,
  type Routing
} from "@countersign/core/trading/routing"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type RouteHop,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import { type PoolBlock, type PoolKey, PoolReader, skippedPoolsMemory, withMoreTicks } from "../pools/index.ts"
import { candidatePools, hubsOf } from "./candidatePools.ts"
import { displayRouteOf } from "./displayRouteOf.ts"
import { makeGasPrices } from "./gasPrices.ts"
import { hopGasOf } from "./hopGas.ts"
import { joinablePools } from "./joinablePools.ts"
import { largestAmountRoundingDown } from "./largestAmount.ts"
import { partsOf } from "./partsOf.ts"
import { isUniswapPool, swapCalls } from "./swapCalls.ts"
import { isWrapping, wrappingCalls } from "./wrapping.ts"

const NAME = "On-chain pools"

/** Maximum price impact of a swap, scaled by 10^18. Constant-product pairs accept any amount, so a limit is needed. */
const MAX_PRICE_IMPACT_E18 = 9n * 10n ** 17n

/**
 * The pools of a chain for an offer: their state at a block, including the changes by earlier swaps of the same
 * operation.
 */
interface Pools {
  readonly chainId: EvmChainId
  /** Null for the latest block. */
  readonly block: PoolBlock | null
  /** The pools that these offers have read so far; null for a pool that does not exist. */
  readonly poolsRead: Map<string, Pool | null>
  readonly changedPools: ReadonlyMap<string, Pool>
  /**
   * The pools that a route can use, by the two tokens of the swap. They are the same for all swaps of the operation.
   */
  readonly candidates: Map<string, ReadonlyMap<string, PoolKey>>
  /** Gas price in wei; null if it was not requested yet. */
  readonly gasPriceWei: bigint | null
}

/** The pools through which amounts are routed. They are the same for all amounts of an offer. */
interface Market {
  readonly pools: Pools & { readonly block: PoolBlock }
  readonly request: OfferRequest
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly keys: ReadonlyMap<string, PoolKey>
  /** Pools by id, with all ticks that earlier amounts needed. */
  readonly currentPools: Map<string, Pool>
  /** Value of a million units of gas, in base units of `tokenOut`; zero if unknown. */
  readonly gasWorthE6: bigint
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

const SIGNIFICANT_DIGITS = 2

/** Rounds down to two significant digits. Pools change too fast for more digits to be meaningful. */
const leadingDigits = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - SIGNIFICANT_DIGITS))
  return (amount / unit) * unit
}

const GAS_UNITS = 1_000_000n

/**
 * Returns the value of a million units of gas in `tokenOut`, from the prices of the pools; zero if there is no price.
 */
const gasWorthE6 = (pools: ReadonlyArray<Pool>, chainId: EvmChainId, tokenOut: Address, priceWei: bigint): bigint => {
  const deployment = deploymentOf(chainId)
  const tokenIn = deployment.wrappedNative.address
  const amountIn = priceWei * GAS_UNITS
  if (amountIn === 0n || tokenOut === tokenIn) return amountIn
  const { route } = bestPath({ pools, tokenIn, tokenOut, hubs: hubsOf(deployment), amountIn, gasOf: () => 0n })
  return route?.amountOut ?? 0n
}

const routeOver = (market: Market, amountIn: bigint): Routing => {
  const { currentPools, keys, request, tokenIn, tokenOut } = market
  const deployment = deploymentOf(market.pools.chainId)
  const { hubs, pools } = joinablePools(
    [...currentPools.values()],
    (id) => keys.get(id)!,
    (key) => isUniswapPool(deployment, key),
    [tokenIn, tokenOut],
    hubsOf(deployment)
  )
  const gasOf = (pool: Pool) => (hopGasOf(pool) * market.gasWorthE6) / GAS_UNITS
  // Without a Universal Router, no contract enforces a minimum on the sum of several split routes.
  const search = request.objective === "BEST" && deployment.universalRouter !== undefined ? bestSplit : bestPath
  return search({ pools, tokenIn, tokenOut, hubs, amountIn, gasOf })
}

/**
 * Creates the provider of swaps through on-chain pools. It computes quotes from the pools' state. The results equal those
 * of the pools.
 */
export const make = Effect.gen(function* () {
  const reader = yield* PoolReader
  const gasPriceOf = yield* makeGasPrices
  const skippedPools = yield* skippedPoolsMemory

  /** Routes an amount. Reads more ticks while they could improve the route. */
  const evaluate = (market: Market, amountIn: bigint) =>
    withMoreTicks(
      () => {
        const { missing, route } = routeOver(market, amountIn)
        return { result: route, missing }
      },
      Effect.fnUntraced(function* (id, word) {
        const pool = market.currentPools.get(id)
        if (pool?._tag !== "Concentrated") return true
        const widenedPool = yield* reader.widen(market.pools.chainId, pool, word, market.pools.block)
        if (widenedPool === null) return false
        market.currentPools.set(id, widenedPool)
        return true
      })
    )

  const wrappingOffer = (request: OfferRequest, pools: Pools): Offer => ({
    ...request,
    amountOut: request.amountIn,
    certainty: "EXACT",
    blockNumber: pools.block?.number ?? null,
    route: [{ amountIn: request.amountIn, amountOut: request.amountIn, hops: [wrappingHop(request, pools.chainId)] }],
    priceImpactE18: 0n,
    fees: [],
    executionSeconds: inclusionEstimateMs(pools.chainId) / 1_000,
    stages: [],
    requoteAmount: (amountIn) => Effect.succeed(wrappingOffer({ ...request, amountIn }, pools)),
    requestFollowUp: (next) => offerOn(pools, next),
    intent: {
      _tag: "Calls",
      buildCalls: (terms) => Effect.sync(() => wrappingCalls(deploymentOf(pools.chainId), request, terms))
    }
  })

  const poolOffer = (market: Market, amountIn: bigint, route: Route): Offer => {
    const { keys, pools } = market
    const request = { ...market.request, amountIn }
    const parts = partsOf(route, keys)
    return {
      ...request,
      amountOut: route.amountOut,
      certainty: "EXACT",
      blockNumber: pools.block.number,
      route: displayRouteOf(parts),
      priceImpactE18: priceImpactE18RoundingUp(route),
      fees: [],
      executionSeconds: inclusionEstimateMs(pools.chainId) / 1_000,
      stages: [],
      requoteAmount: (other) => offerFor(market, other),
      requestFollowUp: (next) =>
        offerOn(
          {
            ...pools,
            poolsRead: new Map([...pools.poolsRead, ...market.currentPools]),
            changedPools: new Map([...pools.changedPools, ...poolsChangedBy(route, keys)])
          },
          next
        ),
      intent: {
        _tag: "Calls",
        buildCalls: (terms) => Effect.sync(() => swapCalls(deploymentOf(pools.chainId), request, parts, terms))
      }
    }
  }

  const offerFor = Effect.fnUntraced(function* (market: Market, amountIn: bigint): Effect.fn.Return<Offer, OfferError> {
    const route = yield* evaluate(market, amountIn)
    if (route !== null && priceImpactE18RoundingUp(route) <= MAX_PRICE_IMPACT_E18) {
      return poolOffer(market, amountIn, route)
    }
    return yield* noRoute(yield* noRouteReason(market, amountIn))
  })

  /** Explains why no route supports the amount. Yields to other fibers between two amounts. */
  const noRouteReason = Effect.fnUntraced(function* (market: Market, amountIn: bigint) {
    const { decimals, symbol } = market.request.tokenIn
    const largest = yield* largestAmountRoundingDown(amountIn, (amount) => {
      const { route } = routeOver(market, amount)
      return route !== null && priceImpactE18RoundingUp(route) <= MAX_PRICE_IMPACT_E18
    })
    const text = (amount: bigint) => `${decimalFromBaseUnits(amount, decimals)} ${symbol}`
    return largest === 0n
      ? `${text(amountIn)} is too small, because the output of every pool would be zero`
      : `no pool has enough liquidity for ${text(amountIn)}. The largest possible amount is currently ${text(leadingDigits(largest))}`
  })

  /** Reads the block and its existing pools, including the changes by earlier swaps of the operation. */
  const readPools = Effect.fnUntraced(function* (
    { block, chainId, changedPools, poolsRead }: Pools,
    keys: ReadonlyMap<string, PoolKey>
  ) {
    const unreadKeys = [...keys.values()].filter(({ id }) => !poolsRead.has(id))
    const snapshot =
      block !== null && unreadKeys.length === 0
        ? { block, pools: [] }
        : yield* reader.read(chainId, unreadKeys, block ?? undefined)
    for (const { id } of unreadKeys) poolsRead.set(id, null)
    for (const pool of snapshot.pools) poolsRead.set(pool.id, pool)
    const currentPools = new Map<string, Pool>()
    for (const id of keys.keys()) {
      const pool = changedPools.get(id) ?? poolsRead.get(id)
      if (pool != null) currentPools.set(id, pool)
    }
    return { block: snapshot.block, currentPools }
  })

  const candidatesBetween = ({ candidates, chainId }: Pools, tokenIn: Address, tokenOut: Address) => {
    const pair = `${tokenIn}:${tokenOut}`
    const cachedKeys = candidates.get(pair)
    if (cachedKeys !== undefined) return cachedKeys
    const candidateKeys = candidatePools(
      (a, b) => reader.keys(chainId, a, b),
      tokenIn,
      tokenOut,
      hubsOf(deploymentOf(chainId))
    )
    candidates.set(pair, candidateKeys)
    return candidateKeys
  }

  const offerOn = Effect.fn("PoolSwapProvider.offer")(function* (
    pools: Pools,
    request: OfferRequest
  ): Effect.fn.Return<Offer, OfferError> {
    const { chainId } = pools
    const deployment = deploymentOf(chainId)
    if (isWrapping(request, deployment)) return wrappingOffer(request, pools)
    const tokenIn = pooledToken(request.tokenIn.address, deployment)
    const tokenOut = pooledToken(request.tokenOut.address, deployment)
    const keys = candidatesBetween(pools, tokenIn, tokenOut)
    const [{ block, currentPools }, gasPriceWei] = yield* Effect.all(
      [readPools(pools, keys), pools.gasPriceWei === null ? gasPriceOf(chainId) : Effect.succeed(pools.gasPriceWei)],
      { concurrency: 2 }
    )
    const hasPoolWith = (token: Address) =>
      [...currentPools.values()].some(({ token0, token1 }) => token0 === token || token1 === token)
    if (!hasPoolWith(tokenIn) || !hasPoolWith(tokenOut)) {
      const [from, to] = [request.tokenIn.symbol, request.tokenOut.symbol]
      return yield* noRoute(
        `no route of pools leads from ${from} to ${to}; pools with hooks or dynamic fees are not used`
      )
    }
    const market: Market = {
      pools: { ...pools, block, gasPriceWei },
      request,
      tokenIn,
      tokenOut,
      keys,
      currentPools,
      gasWorthE6: gasWorthE6([...currentPools.values()], chainId, tokenOut, gasPriceWei)
    }
    return yield* offerFor(market, request.amountIn)
  })

  const pooledTokensOf = (chainId: EvmChainId, { tokenIn, tokenOut }: Pick<OfferRequest, "tokenIn" | "tokenOut">) => {
    const deployment = deploymentOf(chainId)
    return [pooledToken(tokenIn.address, deployment), pooledToken(tokenOut.address, deployment)] as const
  }

  const provider: SwapProvider = {
    id: "SWAP_PROVIDER_A",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) && chainIdIn === chainIdOut && !isLimitOrder,
    listSkippedPools: (tokens) => {
      const { chainId } = tokens.tokenIn
      return isEvmChainId(chainId) ? skippedPools.of(chainId, ...pooledTokensOf(chainId, tokens)) : []
    },
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      if (!isEvmChainId(chainId) || request.tokenOut.chainId !== chainId) {
        return yield* noRoute("it has no cross-chain routes")
      }
      const pools: Pools = {
        chainId,
        block: null,
        poolsRead: new Map(),
        changedPools: new Map(),
        candidates: new Map(),
        gasPriceWei: null
      }
      yield* skippedPools.refresh(chainId, ...pooledTokensOf(chainId, request))
      return yield* offerOn(pools, request)
    })
  }
  return provider
})

/** Returns the pools that a route changes, with their real token addresses instead of aliases. */
const poolsChangedBy = ({ poolsAfter }: Route, keys: Market["keys"]): ReadonlyArray<readonly [string, Pool]> =>
  [...poolsAfter()].map(([id, pool]) => {
    const { token0, token1 } = keys.get(id)!
    return [id, pool.token0 === token0 && pool.token1 === token1 ? pool : { ...pool, token0, token1 }]
  })
