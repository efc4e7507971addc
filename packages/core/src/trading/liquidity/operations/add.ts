import { Effect } from "effect"
import { BadRequest, requireValid } from "../../../foundation/errors/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { addLiquidityKind } from "../LiquidityContent.ts"
import { AddLiquidityRequest } from "../LiquidityRequest.ts"
import { priceAtTick } from "../math/index.ts"
import type { Position } from "../Position.ts"
import { conventionOf, type DisplayPair, priceText } from "../plan/poolPrices.ts"
import { matchesRange } from "../plan/requestedRange.ts"
import { liquidityContext } from "./context.ts"
import { depositFields, depositQuoter } from "./deposits.ts"

const requireRequest = requireValid(AddLiquidityRequest)

/**
 * Returns the two tokens in the order in which the request's prices match the position's range. Null if they match in
 * neither order.
 */
const requestedPair = (
  request: AddLiquidityRequest,
  { pool, range }: Position,
  tokens: Pick<DisplayPair, "token0" | "token1">
): DisplayPair | null => {
  const { token0, token1 } = tokens
  const pairs = [
    { token0, token1, isInOrder: true },
    { token0: token1, token1: token0, isInOrder: false }
  ]
  return pairs.find((pair) => matchesRange(request, range, conventionOf(pair), pool.tickSpacing)) ?? null
}

const otherRangeError = ({ range, tokenId }: Position, { token0, token1 }: Pick<DisplayPair, "token0" | "token1">) => {
  const convention = conventionOf({ token0, token1, isInOrder: true })
  const [min, max] = [range.tickLower, range.tickUpper].map((tick) => priceText(priceAtTick(tick, convention)))
  return BadRequest.of(
    "minPrice",
    "other_range",
    `Position ${tokenId} is between ${min} and ${max} ${token1.symbol} for one ${token0.symbol}. An addition can't change its range.`
  )
}

export const makeAdd = Effect.gen(function* () {
  const { openOwned, orderOf } = yield* liquidityContext
  const quoteDeposit = yield* depositQuoter

  return Effect.fn("Liquidity.add")(function* (project: Project, input: AddLiquidityRequest) {
    const request = yield* requireRequest(input)
    const { payGasFeeToken, tokenIn } = request
    const { parts, ...order } = yield* orderOf(project, request, { tokenIn, payGasFeeToken }, (tokens) =>
      depositFields(request, tokens)
    )
    const readData = Effect.gen(function* () {
      const { opened, poolTokens, position, ...ownedPosition } = yield* openOwned(order, order.tokens.tokenIn, false)
      const pair = requestedPair(request, position, poolTokens)
      if (pair === null) return yield* otherRangeError(position, poolTokens)
      const { manager, pool } = position
      return { ...ownedPosition, pair, pool: pool.address, manager, poolCreated: false, deposit: opened.deposit }
    })
    return yield* quoteDeposit({ ...order, amountIn: parts.amountIn }, "LIQUIDITY_ADD", addLiquidityKind, readData)
  })
})
