import { Context, Effect, Layer, Option } from "effect"
import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from "../chains/index.ts"
import { BadRequest, type UpstreamUnavailable } from "../errors/index.ts"
import { amountsForLiquidityRoundingDown, sqrtPriceX96AtTick, type TickRange } from "../liquidity/index.ts"
import { type Address, type DecimalString, ratioFromPercent } from "../primitives/index.ts"
import {
  requireListed,
  type Token,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized,
  tokenKey,
  valuesOf
} from "../tokens/index.ts"
import { PoolNotFound } from "./errors.ts"
import { APR_DAYS, estimatedAprRoundingDown, providersPartRoundingDown } from "./estimatedApr.ts"
import { usdE6RoundingDown } from "./hourValues.ts"
import { byValue, type LiquidityPool, type ValuedPool, valuedPool } from "./LiquidityPool.ts"
import { PoolMarket, type PoolState } from "./PoolMarket.ts"
import { PoolStatistics, type PricedPoolRef, type PricedSide } from "./PoolStatistics.ts"
import { placeOfId, poolId } from "./poolId.ts"

export interface PoolRequest {
  /** `<chain id>-<address>`. */
  readonly id: string
  readonly rangeInDays: number
}

export interface PoolSearch {
  readonly chainId: ChainId
  /** Null for any listed token. */
  readonly token0: Address | null
  readonly token1: Address | null
  /** Null for every fee. */
  readonly feePercent: number | null
  readonly rangeInDays: number
  /** Id of the last pool of the page before. */
  readonly lastId: string | null
  readonly take: number
}

export interface PoolPage {
  readonly pools: ReadonlyArray<LiquidityPool>
  readonly nextLastId: string | null
}

type PoolError = BadRequest | TokensNotAuthorized | UpstreamUnavailable

/** Tokens of a chain that are looked at in a search without tokens. */
const LISTED_MAX = 1_000

const PIPS = 1_000_000n
const PIPS_OF_A_PERCENT = 10_000

const requireEvmChain = (chainId: ChainId, path: string): Effect.Effect<EvmChainId, BadRequest> =>
  isEvmChainId(chainId)
    ? Effect.succeed(chainId)
    : BadRequest.of(
        path,
        "unsupported_chain",
        `${chainOf(chainId).name} has no Uniswap V3: there is no factory of pools and no position manager.`
      )

interface PricedPool {
  readonly priced: PricedPoolRef
  readonly value: ValuedPool
}

const feePipsOf = (feePercent: number | null): number | null => {
  if (feePercent === null) return null
  const { denominator, numerator } = ratioFromPercent(feePercent)
  return Number((numerator * PIPS) / denominator)
}

const requireFeeTier = (feePercent: number | null, tiers: ReadonlyArray<number>) => {
  const isTier = feePercent === null || tiers.some((tier) => tier / PIPS_OF_A_PERCENT === feePercent)
  const known = tiers.map((tier) => tier / PIPS_OF_A_PERCENT).join(", ")
  return isTier
    ? Effect.void
    : BadRequest.of("fee", "unknown_fee", `No pool of this chain has this fee. Expected one of ${known} percent.`)
}

/** Where the page after a pool begins. */
const startAfter = (pools: ReadonlyArray<PricedPool>, lastId: string | null): Effect.Effect<number, BadRequest> => {
  if (lastId === null) return Effect.succeed(0)
  const last = pools.findIndex(({ value }) => poolId(value.state) === lastId.toLowerCase())
  return last >= 0
    ? Effect.succeed(last + 1)
    : BadRequest.of(
        "lastId",
        "unknown_cursor",
        "No pool of this search has this id. Use nextLastId of the page before, or leave it out."
      )
}

/** Looks pools of Uniswap V3 up, and what they earn. */
export class LiquidityPools extends Context.Service<
  LiquidityPools,
  {
    /** A pool with its statistics. Being asked for is what makes a pool be indexed. */
    readonly show: (request: PoolRequest) => Effect.Effect<LiquidityPool, PoolError | PoolNotFound>
    /** Pools of listed tokens, the most valuable first; those of unknown value come last. */
    readonly search: (search: PoolSearch) => Effect.Effect<PoolPage, PoolError>
    /**
     * Percent a year that liquidity in a range would earn by the fees of the last seven days, as text; null where these or a
     * price are not known. `isInPool` says whether the pool has it already.
     */
    readonly estimatedApr: (
      pool: PoolState,
      range: TickRange,
      liquidity: bigint,
      isInPool: boolean
    ) => Effect.Effect<DecimalString | null>
  }
>()("@countersign/core/pools/LiquidityPools") {
  static readonly layer = Layer.effect(
    LiquidityPools,
    Effect.gen(function* () {
      const market = yield* PoolMarket
      const statistics = yield* PoolStatistics
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices

      const pricedSides = Effect.fnUntraced(function* (tokens: ReadonlyArray<Token>) {
        const known = valuesOf(yield* prices.known(tokens))
        return (token: Token): PricedSide => ({ decimals: token.decimals, price: known.get(tokenKey(token)) ?? null })
      })

      const tokensOf = (pool: PoolState) =>
        Effect.map(
          requireListed(
            catalog,
            (["token0", "token1"] as const).map((field) => ({ field, chainId: pool.chainId, address: pool[field] }))
          ),
          ([token0, token1]) => [token0!, token1!] as const
        )

      const withStatistics = ({ priced, value }: PricedPool, rangeInDays: number) =>
        Effect.map(statistics.over(priced, rangeInDays), (over): LiquidityPool => ({ ...value, statistics: over }))

      const show = Effect.fn("LiquidityPools.show")(function* (request: PoolRequest) {
        const place = yield* placeOfId(request.id)
        const chainId = yield* requireEvmChain(place.chainId, "id")
        const { address } = place
        const found = yield* market.find({ chainId, address })
        if (Option.isNone(found)) return yield* new PoolNotFound({ chainId, address })
        const tokens = yield* tokensOf(found.value)
        yield* statistics.follow(found.value)
        const sideOf = yield* pricedSides(tokens)
        const priced: PricedPoolRef = { pool: found.value, tokens: [sideOf(tokens[0]), sideOf(tokens[1])] }
        return yield* withStatistics(
          { priced, value: valuedPool(found.value, tokens, priced.tokens) },
          request.rangeInDays
        )
      })

      /** The pairs that a search is about, of listed tokens. */
      const pairsOf = Effect.fnUntraced(function* (chainId: EvmChainId, { token0, token1 }: PoolSearch) {
        const asked = [
          { field: "token0", address: token0 },
          { field: "token1", address: token1 }
        ].flatMap(({ address, field }) => (address === null ? [] : [{ field, chainId, address }]))
        const [first, second] = yield* requireListed(catalog, asked)
        if (first !== undefined && second !== undefined) return [[first, second] as const]
        const { tokens } = yield* catalog.search({ text: "", chainIds: [chainId], offset: 0, limit: LISTED_MAX })
        if (first !== undefined) return tokens.map((other) => [first, other] as const)
        return tokens.flatMap((token, i) => tokens.slice(i + 1).map((other) => [token, other] as const))
      })

      const search = Effect.fn("LiquidityPools.search")(function* (asked: PoolSearch) {
        const chainId = yield* requireEvmChain(asked.chainId, "chainId")
        const pairs = yield* pairsOf(chainId, asked)
        const { feeTiers, pools } = yield* market.search(
          chainId,
          pairs.map(([a, b]) => [a.address, b.address] as const),
          feePipsOf(asked.feePercent)
        )
        yield* requireFeeTier(asked.feePercent, feeTiers)
        const tokens = yield* Effect.forEach(pools, tokensOf)
        const sideOf = yield* pricedSides(tokens.flat())
        const found = pools.map((pool, i): PricedPool => {
          const [token0, token1] = tokens[i]!
          const sides = [sideOf(token0), sideOf(token1)] as const
          return { priced: { pool, tokens: sides }, value: valuedPool(pool, [token0, token1], sides) }
        })
        found.sort((a, b) => byValue(a.value, b.value))
        const start = yield* startAfter(found, asked.lastId)
        const page = found.slice(start, start + asked.take)
        return {
          pools: yield* Effect.forEach(page, (each) => withStatistics(each, asked.rangeInDays)),
          nextLastId: start + page.length < found.length ? poolId(page.at(-1)!.value.state) : null
        }
      })

      const estimatedApr = Effect.fn("LiquidityPools.estimatedApr")(function* (
        state: PoolState,
        { tickLower, tickUpper }: TickRange,
        liquidity: bigint,
        isInPool: boolean
      ) {
        const [token0, token1] = [state.token0, state.token1].map((address) => catalog.find(state.chainId, address))
        const tokens = yield* Effect.all([token0!, token1!])
        if (Option.isNone(tokens[0]) || Option.isNone(tokens[1])) return null
        const sideOf = yield* pricedSides([tokens[0].value, tokens[1].value])
        const sides = [sideOf(tokens[0].value), sideOf(tokens[1].value)] as const
        const { feesUsdE6 } = yield* statistics.over({ pool: state, tokens: sides }, APR_DAYS)
        if (feesUsdE6 === null || sides[0].price === null || sides[1].price === null) return null
        const range = { lowerPriceX96: sqrtPriceX96AtTick(tickLower), upperPriceX96: sqrtPriceX96AtTick(tickUpper) }
        const { amount0, amount1 } = amountsForLiquidityRoundingDown(state.sqrtPriceX96, range, liquidity)
        const isInRange = tickLower <= state.tick && state.tick < tickUpper
        return estimatedAprRoundingDown({
          providersFeesUsdE6: providersPartRoundingDown(feesUsdE6, Math.max(...state.protocolShares)),
          liquidity,
          liquidityInRange: state.liquidity + (isInPool || !isInRange ? 0n : liquidity),
          isInRange,
          valueUsdE6:
            usdE6RoundingDown(amount0, sides[0].decimals, sides[0].price) +
            usdE6RoundingDown(amount1, sides[1].decimals, sides[1].price)
        })
      })

      return LiquidityPools.of({ show, search, estimatedApr })
    })
  )
}
