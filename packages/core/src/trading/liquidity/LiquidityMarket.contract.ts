import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import { LiquidityMarket, type LiquidityTerms } from "./LiquidityMarket.ts"

export interface LiquidityMarketSample {
  readonly chainId: EvmChainId
  /** The tokens of an existing pool. The deposits are in the first token. */
  readonly tokens: readonly [Token, Token]
  readonly feePips: number
  /** Base units of the first token. */
  readonly amountIn: bigint
  /** A fee for which no fee tier exists. */
  readonly unknownFeePips: number
  /** The id of an existing NFT with liquidity in the same pool, and an id for which no NFT exists. */
  readonly readTokenId: Effect.Effect<bigint, never, LiquidityMarket>
  readonly unknownTokenId: bigint
}

const HALF = { numerator: 1n, denominator: 2n }
const FULL_SHARE = { numerator: 1n, denominator: 1n }

/** Contract tests that every `LiquidityMarket` must pass. */
export const liquidityMarketContract = <R, E>(
  name: string,
  layer: Layer.Layer<LiquidityMarket | R, E>,
  sample: LiquidityMarketSample
) =>
  withLayer(layer, { excludeTestServices: true })(`LiquidityMarket: ${name}`, (it) => {
    const { amountIn, chainId, feePips, tokens } = sample
    const [tokenIn] = tokens
    const openSamplePool = Effect.flatMap(LiquidityMarket, (market) =>
      market.openPool({ chainId, tokens, feePips, tokenIn })
    )
    const terms: LiquidityTerms = {
      sender: Address.make(`0x${"aa".repeat(20)}`),
      recipient: Address.make(`0x${"bb".repeat(20)}`),
      slippagePercent: 1,
      deadline: 2_000_000_000
    }

    const rangeAround = (tick: number, spacing: number) => {
      const centerTick = Math.round(tick / spacing) * spacing
      return { tickLower: centerTick - 20 * spacing, tickUpper: centerTick + 20 * spacing }
    }

    it.effect("splits a deposit between both tokens, independent of their order", () =>
      Effect.gen(function* () {
        const openedPool = yield* openSamplePool
        const range = rangeAround(openedPool.pool!.tick, openedPool.tickSpacing)
        const deposit = yield* openedPool.deposit({ range, amountIn, startSqrtPriceX96: null })
        assert.strictEqual(deposit.forToken0 + deposit.forToken1, amountIn)
        assert.isTrue(deposit.amounts.amount0 > 0n && deposit.amounts.amount1 > 0n && deposit.liquidity > 0n)
        assert.isTrue(deposit.leftovers.amount0 >= 0n && deposit.leftovers.amount1 >= 0n)
        assert.deepStrictEqual(deposit.range, range)
        const market = yield* LiquidityMarket
        const otherPool = yield* market.openPool({ chainId, tokens: [tokens[1], tokens[0]], feePips, tokenIn })
        assert.notStrictEqual(otherPool.isInOrder, openedPool.isInOrder)
        const { liquidity } = yield* otherPool.deposit({ range, amountIn, startSqrtPriceX96: null })
        assert.strictEqual(liquidity, deposit.liquidity)
      })
    )

    it.effect("deposits only one token if the price is outside the range", () =>
      Effect.gen(function* () {
        const { deposit, pool, tickSpacing } = yield* openSamplePool
        const { tickLower, tickUpper } = rangeAround(pool!.tick, tickSpacing)
        const rangeAbove = { tickLower: tickLower + 60 * tickSpacing, tickUpper: tickUpper + 60 * tickSpacing }
        const { amounts } = yield* deposit({ range: rangeAbove, amountIn, startSqrtPriceX96: null })
        assert.isTrue(amounts.amount0 > 0n && amounts.amount1 === 0n)
      })
    )

    it.effect("lists an account's positions, and returns none for an account without any", () =>
      Effect.gen(function* () {
        const market = yield* LiquidityMarket
        const { owner } = yield* market.readPosition(chainId, yield* sample.readTokenId)
        const ownedTokenIds = yield* market.listOwned(chainId, owner)
        const positions = yield* Effect.forEach(ownedTokenIds.slice(0, 3), (tokenId) =>
          market.readPosition(chainId, tokenId)
        )
        assert.isAbove(positions.length, 0)
        assert.isTrue(positions.every((position) => position.owner === owner))
        assert.deepStrictEqual(
          [...new Set(ownedTokenIds)].sort((a, b) => (a < b ? 1 : -1)),
          ownedTokenIds
        )
        assert.deepStrictEqual(yield* market.listOwned(chainId, terms.recipient), [])
      })
    )

    it.effect("builds the same calls for the same terms", () =>
      Effect.gen(function* () {
        const { deposit, pool, tickSpacing } = yield* openSamplePool
        const range = rangeAround(pool!.tick, tickSpacing)
        const offeredDeposit = yield* deposit({ range, amountIn, startSqrtPriceX96: null })
        assert.deepStrictEqual(offeredDeposit.buildCalls(terms), offeredDeposit.buildCalls(terms))
        assert.include(offeredDeposit.buildCalls(terms).at(-1)!.data, "bb".repeat(20))
      })
    )

    it.effect("withdraws a share of a position, and burns the NFT when the share is 100 %", () =>
      Effect.gen(function* () {
        const market = yield* LiquidityMarket
        const openPosition = yield* market.openPosition({ chainId, tokenId: yield* sample.readTokenId, token: tokenIn })
        const request = { tokenOut: tokenIn, isToOwner: true, fees: [], slippagePercent: 1 }
        const halfWithdrawal = yield* openPosition.withdraw({ ...request, share: HALF })
        const fullWithdrawal = yield* openPosition.withdraw({ ...request, share: FULL_SHARE })
        assert.strictEqual(halfWithdrawal.liquidity, openPosition.position.liquidity / 2n)
        assert.isTrue(
          halfWithdrawal.minAmountOut <= halfWithdrawal.amountOut && halfWithdrawal.amountOut < fullWithdrawal.amountOut
        )
        assert.deepStrictEqual([halfWithdrawal.isEmptied, fullWithdrawal.isEmptied], [false, true])
        const { tickLower, tickUpper } = openPosition.position.range
        const width = tickUpper - tickLower
        const range = { tickLower: tickLower - width, tickUpper: tickUpper + width }
        const rebalanceOffer = yield* openPosition.rebalance({ range, fees: [], slippagePercent: 1 })
        assert.deepStrictEqual(rebalanceOffer.range, range)
        assert.isTrue(rebalanceOffer.liquidity > 0n)
      })
    )

    it.effect("rejects a position or a fee tier that does not exist, and a pool of one token with itself", () =>
      Effect.gen(function* () {
        const market = yield* LiquidityMarket
        const positionError = yield* Effect.flip(market.readPosition(chainId, sample.unknownTokenId))
        const feeError = yield* Effect.flip(
          market.openPool({ chainId, tokens, feePips: sample.unknownFeePips, tokenIn })
        )
        const pairError = yield* Effect.flip(market.openPool({ chainId, tokens: [tokenIn, tokenIn], feePips, tokenIn }))
        const errorSubjects = [positionError, feeError, pairError].map((error) =>
          error._tag === "LIQUIDITY_REFUSAL" ? error.about : null
        )
        assert.deepStrictEqual(errorSubjects, ["POSITION", "FEE_TIER", "PAIR"])
      })
    )
  })
