import { Effect } from "effect"
import { requireValid } from "../../../foundation/errors/index.ts"
import { ratioFromPercent } from "../../../foundation/primitives/index.ts"
import { TokenPrices } from "../../../foundation/tokens/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { createLiquidityKind } from "../LiquidityContent.ts"
import type { OpenPool } from "../LiquidityMarket.ts"
import { CreateLiquidityRequest } from "../LiquidityRequest.ts"
import type { TickRange } from "../math/index.ts"
import { conventionOf, type DisplayPair, initialSqrtPriceOf } from "../plan/poolPrices.ts"
import { requestedRange } from "../plan/requestedRange.ts"
import { positionDetails } from "../positionDetails.ts"
import { liquidityContext } from "./context.ts"
import { depositFields, depositQuoter } from "./deposits.ts"

const requireRequest = requireValid(CreateLiquidityRequest)

/**
 * Converts a percentage to millionths. The result is not an integer if the percentage has more decimals than a fee tier
 * can have.
 */
const pipsOf = (percent: number): number => {
  const { denominator, numerator } = ratioFromPercent(percent)
  return Number(numerator * 1_000_000n) / Number(denominator)
}

export const makeCreate = Effect.gen(function* () {
  const { market, orderOf, preparations } = yield* liquidityContext
  const quoteDeposit = yield* depositQuoter
  const tokenPrices = yield* TokenPrices

  const startOf = Effect.fnUntraced(function* (pair: DisplayPair, { pool }: OpenPool, range: TickRange) {
    if (pool !== null) return null
    const currentPrices = yield* tokenPrices.findPrices([pair.token0, pair.token1])
    return yield* Effect.fromResult(initialSqrtPriceOf(pair, currentPrices, range))
  })

  return Effect.fn("Liquidity.create")(function* (project: Project, input: CreateLiquidityRequest) {
    const request = yield* requireRequest(input)
    const { chainId, metadata, payGasFeeToken, poolFeePercent, tokenIn, token0, token1 } = request
    const fields = { tokenIn, token0, token1, payGasFeeToken }
    const { parts, ...order } = yield* orderOf(project, request, fields, (tokens) => depositFields(request, tokens))
    const { tokens } = order
    const readData = Effect.gen(function* () {
      const { opened: openPool, prices } = yield* Effect.all(
        {
          opened: market.openPool({
            chainId,
            tokens: [tokens.token0, tokens.token1],
            feePips: pipsOf(poolFeePercent),
            tokenIn: tokens.tokenIn
          }),
          prices: preparations.readPrices(chainId, Object.values(tokens))
        },
        { concurrency: 2 }
      )
      const { address, isInOrder, manager, pool, tickSpacing } = openPool
      const pair: DisplayPair = { token0: tokens.token0, token1: tokens.token1, isInOrder }
      const range = yield* Effect.fromResult(requestedRange(request, conventionOf(pair), tickSpacing))
      const startSqrtPriceX96 = yield* startOf(pair, openPool, range)
      return {
        pair,
        pool: address,
        manager,
        poolCreated: pool === null,
        prices,
        deposit: (amountIn: bigint) => openPool.deposit({ range, amountIn, startSqrtPriceX96 }),
        about: { subject: null, details: positionDetails.of({ manager, tokenId: null, positionId: null }) },
        metadata
      }
    })
    return yield* quoteDeposit(
      { ...order, amountIn: parts.amountIn },
      "LIQUIDITY_CREATE",
      createLiquidityKind,
      readData
    )
  })
})
