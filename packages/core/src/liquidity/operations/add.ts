import { Effect, Option } from "effect"
import { BadRequest, requireNoProblem, requireValid } from "../../errors/index.ts"
import { baseUnitsOrNone } from "../../primitives/index.ts"
import type { Project } from "../../projects/index.ts"
import { amountProblems, feeProblems, gasTokenProblems, quoteOfPrepared } from "../../quotes/index.ts"
import { type AddLiquidityContent, addLiquidityKind, type LiquidityQuote } from "../LiquidityContent.ts"
import { depositFields } from "../LiquidityOrder.ts"
import { AddLiquidityRequest } from "../LiquidityRequest.ts"
import { priceAtTick } from "../math/index.ts"
import type { Position } from "../Position.ts"
import { isRangeOf, priceProblem } from "../plan/askedRange.ts"
import { boundedCosts } from "../plan/bounds.ts"
import { depositContent } from "../plan/contents.ts"
import { type DepositOrder, planDeposit } from "../plan/depositPlan.ts"
import { conventionOf, marketDistanceE18, type NamedPair, priceText } from "../plan/poolPrices.ts"
import { expectedOfDeposit } from "./create.ts"
import { type LiquidityError, makeGroundwork, orFail, provisionalLimits, refused } from "./groundwork.ts"

const requireRequest = requireValid(AddLiquidityRequest)

const CALL_GAS = 1_000_000n

/** The two tokens in the order in which the request says its prices; null where they are not the position's in either. */
const pairAsked = (
  request: AddLiquidityRequest,
  { pool, range }: Position,
  tokens: Pick<NamedPair, "token0" | "token1">
): NamedPair | null => {
  const { token0, token1 } = tokens
  const pairs = [
    { token0, token1, isInOrder: true },
    { token0: token1, token1: token0, isInOrder: false }
  ]
  return pairs.find((pair) => isRangeOf(request, range, conventionOf(pair), pool.tickSpacing)) ?? null
}

const otherRange = ({ range, tokenId }: Position, { token0, token1 }: Pick<NamedPair, "token0" | "token1">) => {
  const convention = conventionOf({ token0, token1, isInOrder: true })
  const [min, max] = [range.tickLower, range.tickUpper].map((tick) => priceText(priceAtTick(tick, convention)))
  return BadRequest.of(
    "minPrice",
    "other_range",
    `Position ${tokenId} is between ${min} and ${max} ${token1.symbol} for one ${token0.symbol}. Its range can't be changed by adding to it.`
  )
}

export const makeAdd = Effect.gen(function* () {
  const { openOwned, orderOf, positionIdOf, preparations, pricesOf, settings, store, withPositionId, yields } =
    yield* makeGroundwork

  return Effect.fn("Liquidity.add")(function* (
    project: Project,
    input: AddLiquidityRequest
  ): Effect.fn.Return<LiquidityQuote<AddLiquidityContent>, LiquidityError> {
    const request = yield* requireRequest(input)
    const { chainId, payGasFeeToken, tokenIn } = request
    const order = yield* orderOf(project, request, { tokenIn, payGasFeeToken })
    const { tokens } = order
    yield* requireNoProblem([
      ...amountProblems("amountIn", request.amountIn, tokens.tokenIn),
      ...gasTokenProblems(request, tokens.payGasFeeToken, { tokenIn: tokens.tokenIn }),
      ...feeProblems(request),
      priceProblem(request)
    ])
    const { context, opened, poolTokens } = yield* openOwned(order, tokens.tokenIn, depositFields, [tokenIn])
    const { position } = opened
    const pair = pairAsked(request, position, poolTokens)
    if (pair === null) return yield* otherRange(position, poolTokens)
    const quoted = yield* pricesOf(chainId, [...Object.values(tokens), pair.token0, pair.token1])
    const depositOrder: DepositOrder = {
      ...order,
      amountIn: Option.getOrThrow(baseUnitsOrNone(request.amountIn, tokens.tokenIn.decimals))
    }
    const preparing = preparations
      .prepare(context, {
        provisionalLimits: provisionalLimits(CALL_GAS),
        plan: planDeposit(depositOrder, opened.deposit),
        spends: ({ split }) => [{ token: tokens.tokenIn, amount: depositOrder.amountIn - split.gasFee }]
      })
      .pipe(Effect.catchTag("LIQUIDITY_REFUSAL", refused(depositFields)))
    const [prepared, yieldOf] = yield* Effect.all([preparing, yields(chainId, position.pool.address)], {
      concurrency: 2
    })
    const { deposit } = prepared.operation.plan
    const distanceE18 = marketDistanceE18([deposit.sqrtPriceX96], pair, quoted.usd)
    const warnings = yield* orFail(
      boundedCosts({ ...deposit, distanceE18 }, settings, request.acceptPriceImpact, "amountIn")
    )
    const content: AddLiquidityContent = {
      ...depositContent(depositOrder, prepared, quoted, pair, warnings, yieldOf),
      request,
      manager: position.manager,
      poolCreated: false
    }
    const positionId = yield* positionIdOf(order, position)
    const quote = quoteOfPrepared({
      project,
      kind: addLiquidityKind,
      content,
      prepared,
      transaction: {
        type: "LIQUIDITY_ADD",
        expected: expectedOfDeposit(depositOrder, prepared, position.pool.address, quoted.usd),
        details: { liquidity: { manager: position.manager, tokenId: request.tokenId, positionId } }
      },
      metadata: withPositionId(request.metadata, positionId)
    })
    yield* store.insert([quote])
    return { quote, content }
  })
})
