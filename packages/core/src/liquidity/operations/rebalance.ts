import { Effect } from "effect"
import { requireNoProblem, requireValid } from "../../errors/index.ts"
import type { Project } from "../../projects/index.ts"
import { contentOfPrepared, feeProblems, gasFeeOf, quoteOfPrepared } from "../../quotes/index.ts"
import { BlockchainError } from "../errors.ts"
import { type LiquidityQuote, type RebalanceLiquidityContent, rebalanceLiquidityKind } from "../LiquidityContent.ts"
import { rebalanceFields } from "../LiquidityOrder.ts"
import { RebalanceLiquidityRequest } from "../LiquidityRequest.ts"
import { askedRange, priceProblem } from "../plan/askedRange.ts"
import { boundedCosts } from "../plan/bounds.ts"
import { placementContent } from "../plan/contents.ts"
import { feeShares, listedShares } from "../plan/feeShares.ts"
import { conventionOf, marketDistanceE18, type NamedPair } from "../plan/poolPrices.ts"
import {
  type LiquidityError,
  makeGroundwork,
  orFail,
  planOf,
  provisionalLimits,
  receiverProblems,
  refused
} from "./groundwork.ts"

const requireRequest = requireValid(RebalanceLiquidityRequest)

const CALL_GAS = 1_400_000n
const PREFIX = "newPosition."

export const makeRebalance = Effect.gen(function* () {
  const { openOwned, orderOf, positionIdOf, preparations, pricesOf, settings, store, withPositionId } =
    yield* makeGroundwork

  const prepareRebalance = Effect.fnUntraced(function* (
    project: Project,
    input: RebalanceLiquidityRequest
  ): Effect.fn.Return<LiquidityQuote<RebalanceLiquidityContent>, LiquidityError> {
    const request = yield* requireRequest(input)
    const { chainId, newPosition, payGasFeeToken, slippage } = request
    const order = yield* orderOf(project, request, { payGasFeeToken })
    const { collectors, tokens } = order
    yield* requireNoProblem([...feeProblems(request), ...receiverProblems(request), priceProblem(newPosition, PREFIX)])
    const { context, opened, poolTokens } = yield* openOwned(order, null, rebalanceFields)
    const { position } = opened
    const pair: NamedPair = { ...poolTokens, isInOrder: true }
    const quoted = yield* pricesOf(chainId, [...Object.values(tokens), pair.token0, pair.token1])
    const { pool } = position
    const range = yield* orFail(askedRange(newPosition, conventionOf(pair), pool.tickSpacing, PREFIX))
    const shares = feeShares(request, collectors)
    const rebalancing = yield* opened
      .rebalance({ range, fees: shares, slippagePercent: slippage })
      .pipe(Effect.catchTag("LIQUIDITY_REFUSAL", refused(rebalanceFields)))
    const distanceE18 = marketDistanceE18([pool.sqrtPriceX96, rebalancing.sqrtPriceX96], pair, quoted.usd)
    const warnings = yield* orFail(
      boundedCosts({ ...rebalancing, distanceE18 }, settings, request.acceptPriceImpact, "newPosition")
    )
    const prepared = yield* preparations.prepare(context, {
      provisionalLimits: provisionalLimits(CALL_GAS),
      plan: planOf(order, rebalancing),
      spends: () => []
    })
    const paid = (token: "amount0" | "amount1") => rebalancing.payments.map((payment) => payment[token])
    const content: RebalanceLiquidityContent = {
      ...contentOfPrepared(prepared, quoted),
      ...placementContent(rebalancing, pair),
      warnings: [...quoted.warnings, ...warnings],
      request,
      collectors,
      manager: position.manager,
      tokens: { ...poolTokens, ...tokens },
      removed: rebalancing.removed,
      collected: rebalancing.collected,
      fees: [
        gasFeeOf(prepared.gas, prepared.intent),
        ...listedShares(pair.token0, shares, paid("amount0"), request),
        ...listedShares(pair.token1, shares, paid("amount1"), request)
      ]
    }
    const positionId = yield* positionIdOf(order, position)
    const quote = quoteOfPrepared({
      project,
      kind: rebalanceLiquidityKind,
      content,
      prepared,
      transaction: {
        type: "LIQUIDITY_REBALANCE",
        expected: [],
        details: { liquidity: { manager: position.manager, tokenId: request.tokenId, positionId } }
      },
      metadata: withPositionId(request.metadata, positionId)
    })
    yield* store.insert([quote])
    return { quote, content }
  })

  return Effect.fn("Liquidity.rebalance")(function* (project: Project, input: RebalanceLiquidityRequest) {
    return yield* Effect.catchTag(prepareRebalance(project, input), "UPSTREAM_UNAVAILABLE", (error) =>
      Effect.fail(new BlockchainError({ reason: error.message }))
    )
  })
})
