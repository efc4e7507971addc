import { Effect, Option } from "effect"
import { requireNoProblem, requireValid } from "../../errors/index.ts"
import { feePayments } from "../../fees/index.ts"
import { baseUnitsOrNone, ratioFromPercent } from "../../primitives/index.ts"
import type { Project } from "../../projects/index.ts"
import { amountProblems, feeProblems, gasTokenProblems, type Prepared, quoteOfPrepared } from "../../quotes/index.ts"
import { outputRecipientProblems } from "../../swap/index.ts"
import type { ByToken, UsdPriceE18 } from "../../tokens/index.ts"
import { type CreateLiquidityContent, createLiquidityKind, type LiquidityQuote } from "../LiquidityContent.ts"
import type { OpenPool } from "../LiquidityMarket.ts"
import { depositFields } from "../LiquidityOrder.ts"
import { CreateLiquidityRequest } from "../LiquidityRequest.ts"
import { askedRange, priceProblem } from "../plan/askedRange.ts"
import { boundedCosts } from "../plan/bounds.ts"
import { depositContent } from "../plan/contents.ts"
import { type DepositOrder, type DepositPlan, planDeposit } from "../plan/depositPlan.ts"
import { expectedMovements, outOf } from "../plan/expected.ts"
import { conventionOf, marketDistanceE18, type NamedPair, startPrice } from "../plan/poolPrices.ts"
import { type LiquidityError, makeGroundwork, orFail, provisionalLimits, refused } from "./groundwork.ts"

const requireRequest = requireValid(CreateLiquidityRequest)

const CALL_GAS = 1_000_000n
/** Making a pool deploys a contract. */
const NEW_POOL_CALL_GAS = 6_000_000n

/** Millionths of a percentage; with a fraction where it has more digits than a fee tier can have. */
const pipsOf = (percent: number): number => {
  const { denominator, numerator } = ratioFromPercent(percent)
  return Number(numerator * 1_000_000n) / Number(denominator)
}

/** What the wallet sends: its fees, and what is put in. */
export const expectedOfDeposit = (
  { collectors, request, tokens: { tokenIn }, wallet }: DepositOrder,
  { operation }: Prepared<DepositPlan>,
  to: DepositOrder["wallet"]["account"]["address"],
  prices: ByToken<UsdPriceE18>
) => {
  const account = wallet.account.address
  const { split } = operation.plan
  return expectedMovements(
    request.chainId,
    [
      outOf(account, tokenIn, split.net, "PRINCIPAL", to),
      ...feePayments(split, request, collectors).map(({ amount, recipient }) =>
        outOf(account, tokenIn, amount, "FEE", recipient)
      )
    ],
    prices
  )
}

export const makeCreate = Effect.gen(function* () {
  const { market, openWith, orderOf, preparations, prices, pricesOf, settings, store, yields } = yield* makeGroundwork

  const startOf = Effect.fnUntraced(function* (
    pair: NamedPair,
    { pool }: OpenPool,
    range: Parameters<OpenPool["deposit"]>[0]["range"]
  ) {
    if (pool !== null) return null
    const known = yield* prices.known([pair.token0, pair.token1])
    return yield* orFail(startPrice(pair, known, range))
  })

  return Effect.fn("Liquidity.create")(function* (
    project: Project,
    input: CreateLiquidityRequest
  ): Effect.fn.Return<LiquidityQuote<CreateLiquidityContent>, LiquidityError> {
    const request = yield* requireRequest(input)
    const { chainId, payGasFeeToken, tokenIn, token0, token1 } = request
    const order = yield* orderOf(project, request, { tokenIn, token0, token1, payGasFeeToken })
    const { tokens } = order
    yield* requireNoProblem([
      ...amountProblems("amountIn", request.amountIn, tokens.tokenIn),
      ...gasTokenProblems(request, tokens.payGasFeeToken, { tokenIn: tokens.tokenIn }),
      ...feeProblems(request),
      ...outputRecipientProblems(request.toAddress),
      priceProblem(request)
    ])
    const opening = market
      .openPool({
        chainId,
        tokens: [tokens.token0, tokens.token1],
        feePips: pipsOf(request.poolFeePercent),
        tokenIn: tokens.tokenIn
      })
      .pipe(Effect.catchTag("LIQUIDITY_REFUSAL", refused(depositFields)))
    const [context, [opened, quoted]] = yield* openWith(
      order,
      [tokenIn],
      Effect.all([opening, pricesOf(chainId, Object.values(tokens))], { concurrency: 2 })
    )
    const pair: NamedPair = { token0: tokens.token0, token1: tokens.token1, isInOrder: opened.isInOrder }
    const range = yield* orFail(askedRange(request, conventionOf(pair), opened.tickSpacing))
    const startSqrtPriceX96 = yield* startOf(pair, opened, range)
    const depositOrder: DepositOrder = {
      ...order,
      amountIn: Option.getOrThrow(baseUnitsOrNone(request.amountIn, tokens.tokenIn.decimals))
    }
    const preparing = preparations
      .prepare(context, {
        provisionalLimits: provisionalLimits(opened.pool === null ? NEW_POOL_CALL_GAS : CALL_GAS),
        plan: planDeposit(depositOrder, (amountIn) => opened.deposit({ range, amountIn, startSqrtPriceX96 })),
        spends: ({ split }) => [{ token: tokens.tokenIn, amount: depositOrder.amountIn - split.gasFee }]
      })
      .pipe(Effect.catchTag("LIQUIDITY_REFUSAL", refused(depositFields)))
    const [prepared, yieldOf] = yield* Effect.all(
      [preparing, opened.pool === null ? Effect.succeed(() => null) : yields(chainId, opened.pool.address)],
      { concurrency: 2 }
    )
    const { deposit } = prepared.operation.plan
    const distanceE18 = marketDistanceE18([deposit.sqrtPriceX96], pair, quoted.usd)
    const warnings = yield* orFail(
      boundedCosts({ ...deposit, distanceE18 }, settings, request.acceptPriceImpact, "amountIn")
    )
    const content: CreateLiquidityContent = {
      ...depositContent(depositOrder, prepared, quoted, pair, warnings, yieldOf),
      request,
      manager: opened.manager,
      poolCreated: opened.pool === null
    }
    const quote = quoteOfPrepared({
      project,
      kind: createLiquidityKind,
      content,
      prepared,
      transaction: {
        type: "LIQUIDITY_CREATE",
        expected: expectedOfDeposit(depositOrder, prepared, opened.address, quoted.usd),
        details: { liquidity: { manager: opened.manager, tokenId: null, positionId: null } }
      },
      metadata: request.metadata
    })
    yield* store.insert([quote])
    return { quote, content }
  })
})
