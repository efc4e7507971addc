import { Context, Effect, Layer, Option } from "effect"
import { requireServed, ServedChains } from "../../foundation/chains/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { TokenCatalog, TokenPrices, type TokensNotAuthorized } from "../../foundation/tokens/index.ts"
import {
  amountsForLiquidityRoundingDown,
  LiquidityYields,
  type PlannedLiquidity,
  sqrtPriceX96AtTick,
  type YieldEstimator
} from "../liquidity/index.ts"
import { PoolNotFound } from "./errors.ts"
import { APR_DAYS, estimatedAprRoundingDown, providersShareRoundingDown } from "./estimatedApr.ts"
import { usdE6OfBothOrNull } from "./hourValues.ts"
import { compareByValue, type LiquidityPool, type ValuedPool, valuePool } from "./LiquidityPool.ts"
import { PoolMarket, type PoolState } from "./PoolMarket.ts"
import type { PoolAddress } from "./PoolRef.ts"
import { PoolStatistics } from "./PoolStatistics.ts"
import { poolAddressOfId, poolId } from "./poolId.ts"
import { feePipsOf, type PoolSearch, requireFeeTier, searchedPairs, startIndexAfter } from "./poolSearch.ts"
import { readPricedTokens, requireListedTokens, requireV3Chain } from "./poolTokens.ts"

export interface PoolRequest {
  /** `<chain id>-<address>`. */
  readonly id: string
  readonly rangeInDays: number
}

export interface PoolPage {
  readonly pools: ReadonlyArray<LiquidityPool>
  readonly nextLastId: string | null
}

type PoolError = BadRequest | TokensNotAuthorized | UpstreamUnavailable

/** Queries Uniswap V3 pools and their yields. */
export class LiquidityPools extends Context.Service<
  LiquidityPools,
  {
    /** Returns a pool with its statistics. Starts to index the pool. */
    readonly show: (
      request: PoolRequest
    ) => Effect.Effect<LiquidityPool, BadRequest | UpstreamUnavailable | PoolNotFound>
    /** Returns pools of listed tokens, sorted by value, highest first. Pools with an unknown value come last. */
    readonly search: (search: PoolSearch) => Effect.Effect<PoolPage, PoolError>
    /**
     * Estimates the yield of liquidity in a pool. Null if a price or the fees of the last seven days are unknown.
     * Starts to index the pool.
     */
    readonly readYieldEstimator: (poolAddress: PoolAddress) => Effect.Effect<YieldEstimator, UpstreamUnavailable>
  }
>()("@countersign/core/pools/LiquidityPools") {
  static readonly layer = Layer.effect(
    LiquidityPools,
    Effect.gen(function* () {
      const market = yield* PoolMarket
      const statistics = yield* PoolStatistics
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const requireServedChains = requireServed(yield* ServedChains)

      const valuedPoolOf = Effect.fnUntraced(function* (state: PoolState) {
        const tokens = yield* requireListedTokens(catalog, state)
        return valuePool(state, tokens, yield* readPricedTokens(prices, tokens))
      })

      const withStatistics = (pool: ValuedPool, rangeInDays: number) =>
        Effect.map(
          statistics.readStatistics({ pool: pool.state, tokens: pool.priced }, rangeInDays),
          (rangeStatistics): LiquidityPool => ({ ...pool, statistics: rangeStatistics })
        )

      const show = Effect.fn("LiquidityPools.show")(function* ({ id, rangeInDays }: PoolRequest) {
        const poolAddress = yield* poolAddressOfId(id)
        const chainId = yield* requireV3Chain(poolAddress.chainId, "id")
        yield* requireServedChains({ id: chainId })
        const poolState = yield* market.find({ chainId, address: poolAddress.address })
        const notFoundError = (unlisted: ReadonlyArray<Address>) =>
          new PoolNotFound({ chainId, address: poolAddress.address, unlisted })
        if (Option.isNone(poolState)) return yield* notFoundError([])
        const pool = yield* Effect.mapError(valuedPoolOf(poolState.value), ({ tokens }) =>
          notFoundError(tokens.map(({ address }) => address))
        )
        yield* statistics.startIndexing(poolState.value)
        return yield* withStatistics(pool, rangeInDays)
      })

      const search = Effect.fn("LiquidityPools.search")(function* (searchRequest: PoolSearch) {
        const chainId = yield* requireV3Chain(searchRequest.chainId, "chainId")
        yield* requireServedChains({ chainId })
        const pairs = yield* searchedPairs(catalog, chainId, searchRequest)
        const { feeTiers, pools } = yield* market.search(
          chainId,
          pairs.map(([a, b]) => [a.address, b.address] as const),
          feePipsOf(searchRequest.feePercent)
        )
        yield* requireFeeTier(searchRequest.feePercent, feeTiers)
        const sortedPools = (yield* Effect.forEach(pools, valuedPoolOf)).sort(compareByValue)
        const start = yield* startIndexAfter(sortedPools, searchRequest.lastId)
        const page = sortedPools.slice(start, start + searchRequest.take)
        return {
          pools: yield* Effect.forEach(page, (pool) => withStatistics(pool, searchRequest.rangeInDays)),
          nextLastId: start + page.length < sortedPools.length ? poolId(page.at(-1)!.state) : null
        }
      })

      /** Returns the value of liquidity in millionths of a US dollar. Null if a price is unknown. */
      const valueOfPlanned = ({ priced, state }: ValuedPool, { liquidity, range }: PlannedLiquidity) => {
        const priceRange = {
          lowerPriceX96: sqrtPriceX96AtTick(range.tickLower),
          upperPriceX96: sqrtPriceX96AtTick(range.tickUpper)
        }
        return usdE6OfBothOrNull(amountsForLiquidityRoundingDown(state.sqrtPriceX96, priceRange, liquidity), priced)
      }

      const readYields = Effect.fn("LiquidityPools.yields")(function* (
        poolAddress: PoolAddress
      ): Effect.fn.Return<YieldEstimator, UpstreamUnavailable> {
        const unknownYield: YieldEstimator = () => null
        const poolState = yield* market.find(poolAddress)
        if (Option.isNone(poolState)) return unknownYield
        const state = poolState.value
        yield* statistics.startIndexing(state)
        const pool = yield* Effect.option(valuedPoolOf(state))
        if (Option.isNone(pool)) return unknownYield
        const { feesUsdE6 } = (yield* withStatistics(pool.value, APR_DAYS)).statistics
        if (feesUsdE6 === null) return unknownYield
        return (plannedLiquidity) => {
          const positionValueE6 = valueOfPlanned(pool.value, plannedLiquidity)
          if (positionValueE6 === null) return null
          const { isInPool, liquidity, range } = plannedLiquidity
          return estimatedAprRoundingDown({
            providersFeesUsdE6: providersShareRoundingDown(feesUsdE6, state.protocolShares),
            liquidity,
            liquidityInRange: state.liquidity + (isInPool ? 0n : liquidity),
            isInRange: range.tickLower <= state.tick && state.tick < range.tickUpper,
            valueUsdE6: positionValueE6
          })
        }
      })

      return LiquidityPools.of({ show, search, readYieldEstimator: readYields })
    })
  )
}

/**
 * Provides the yields to the liquidity operations, which do not require them. The yield is null if it can't be read.
 */
export const layerYields: Layer.Layer<never, never, LiquidityPools> = Layer.effect(
  LiquidityYields,
  Effect.map(
    LiquidityPools,
    (pools) => (chainId, address) =>
      Effect.orElseSucceed(pools.readYieldEstimator({ chainId, address }), () => () => null)
  )
)
