import { Clock, Context, Effect, Layer } from "effect"
import {
  type ChainId,
  type EvmChainId,
  onEachChain,
  requireServed,
  ServedChains,
  type UnreadChain
} from "../../foundation/chains/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, DecimalString } from "../../foundation/primitives/index.ts"
import { type Token, TokenCatalog, TokenPrices, type TokensNotAuthorized } from "../../foundation/tokens/index.ts"
import { LiquidityMarket, type Position } from "../liquidity/index.ts"
import { PositionNotFound } from "./errors.ts"
import { earnedAprRoundingDown } from "./estimatedApr.ts"
import { usdE6OfBothOrNull } from "./hourValues.ts"
import { LiquidityPools } from "./LiquidityPools.ts"
import type { Amounts } from "./PoolActivity.ts"
import { PositionHistory } from "./PositionHistory.ts"
import { readPricedTokens, requireListedTokens, requireV3Chain } from "./poolTokens.ts"

export interface PositionRequest {
  readonly chainId: ChainId
  readonly tokenId: bigint
}

/**
 * A position for display. Values are in millionths of a US dollar, rounded down. They are null if a price is unknown.
 */
export interface LiquidityPosition {
  readonly position: Position
  /** token0 and token1 of the position's pool. */
  readonly tokens: readonly [Token, Token]
  /** Whether the pool's current price is in the position's range, so that the position earns fees. */
  readonly isInRange: boolean
  readonly valueUsdE6: bigint | null
  readonly unclaimedUsdE6: bigint | null
  /**
   * All fees since the position was created, including collected fees. Null if the chain's nodes do not return them.
   */
  readonly earned: Amounts | null
  readonly earnedUsdE6: bigint | null
  /** Creation time in Unix seconds; null if the chain's nodes do not return it. */
  readonly since: number | null
  /**
   * Yields in percent per year. `apr` is based on the position's own fees since its creation, `estimatedApr` on the
   * pool's fees of the last seven days.
   */
  readonly apr: DecimalString | null
  readonly estimatedApr: DecimalString | null
}

export interface OwnedPositions {
  readonly results: ReadonlyArray<LiquidityPosition>
  readonly unread: ReadonlyArray<UnreadChain>
}

/** Maximum number of an account's positions that are read concurrently per chain. */
const CONCURRENT = 8

type PositionError = BadRequest | TokensNotAuthorized | UpstreamUnavailable | PositionNotFound

/** Queries Uniswap V3 positions of any owner. */
export class LiquidityPositions extends Context.Service<
  LiquidityPositions,
  {
    /** Returns a position at the latest block. Starts to index its pool. */
    readonly show: (request: PositionRequest) => Effect.Effect<LiquidityPosition, PositionError>
    /** Returns an account's positions on these chains. Omits positions with unlisted tokens. */
    readonly listOwned: (account: Address, chainIds: ReadonlyArray<EvmChainId>) => Effect.Effect<OwnedPositions>
  }
>()("@countersign/core/pools/LiquidityPositions") {
  static readonly layer = Layer.effect(
    LiquidityPositions,
    Effect.gen(function* () {
      const positions = yield* LiquidityMarket
      const pools = yield* LiquidityPools
      const history = yield* PositionHistory
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const requireServedChains = requireServed(yield* ServedChains)

      const positionOf = (chainId: EvmChainId, tokenId: bigint) =>
        Effect.catchTag(positions.readPosition(chainId, tokenId), "LIQUIDITY_REFUSAL", () =>
          Effect.fail(new PositionNotFound({ chainId, tokenId: String(tokenId) }))
        )

      const show = Effect.fn("LiquidityPositions.show")(function* ({
        chainId: requestedChainId,
        tokenId
      }: PositionRequest) {
        const chainId = yield* requireV3Chain(requestedChainId, "chainId")
        yield* requireServedChains({ chainId })
        const position = yield* positionOf(chainId, tokenId)
        const { amounts, pool, range, unclaimed } = position
        const tokens = yield* requireListedTokens(catalog, { chainId, ...pool })
        const pricedTokens = yield* readPricedTokens(prices, tokens)
        const [lifetime, yieldOf, now] = yield* Effect.all(
          [
            history.readLifetime(position),
            pools.readYieldEstimator({ chainId, address: pool.address }),
            Clock.currentTimeMillis
          ],
          { concurrency: "unbounded" }
        )
        const earnedFees =
          lifetime === null
            ? null
            : {
                amount0: lifetime.collected.amount0 - lifetime.removed.amount0 + unclaimed.amount0,
                amount1: lifetime.collected.amount1 - lifetime.removed.amount1 + unclaimed.amount1
              }
        const valueUsdE6 = usdE6OfBothOrNull(amounts, pricedTokens)
        const earnedUsdE6 = earnedFees === null ? null : usdE6OfBothOrNull(earnedFees, pricedTokens)
        const view: LiquidityPosition = {
          position,
          tokens,
          isInRange: range.tickLower <= pool.tick && pool.tick < range.tickUpper,
          valueUsdE6,
          unclaimedUsdE6: usdE6OfBothOrNull(unclaimed, pricedTokens),
          earned: earnedFees,
          earnedUsdE6,
          since: lifetime?.since ?? null,
          apr:
            lifetime === null || earnedUsdE6 === null || valueUsdE6 === null
              ? null
              : earnedAprRoundingDown(earnedUsdE6, valueUsdE6, Math.floor(now / 1_000) - lifetime.since),
          estimatedApr: yieldOf({ range, liquidity: position.liquidity, isInPool: true })
        }
        return view
      })

      const showOrNull = (request: PositionRequest) =>
        show(request).pipe(
          // A token is not listed, or the NFT was burned or transferred after its id was read.
          Effect.catchTags({
            BAD_REQUEST: () => Effect.succeed(null),
            NOT_AUTHORIZED_TOKENS: () => Effect.succeed(null),
            LIQUIDITY_POSITION_NOT_FOUND: () => Effect.succeed(null)
          })
        )

      const ownedPositionsOn = Effect.fnUntraced(function* (chainId: EvmChainId, account: Address) {
        const ids = yield* positions.listOwned(chainId, account)
        const shownPositions = yield* Effect.forEach(ids, (tokenId) => showOrNull({ chainId, tokenId }), {
          concurrency: CONCURRENT
        })
        return shownPositions.filter((position) => position !== null)
      })

      return LiquidityPositions.of({
        show,
        listOwned: (account, chainIds) =>
          onEachChain(chainIds, (chainId) => ownedPositionsOn(chainId, account)).pipe(
            Effect.withSpan("LiquidityPositions.owned")
          )
      })
    })
  )
}
