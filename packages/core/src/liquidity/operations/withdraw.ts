import { Effect } from "effect"
import { type RequestProblem, requireNoProblem, requireValid } from "../../errors/index.ts"
import { ratioFromPercent } from "../../primitives/index.ts"
import type { Project } from "../../projects/index.ts"
import { contentOfPrepared, feeProblems, gasFeeOf, quoteOfPrepared } from "../../quotes/index.ts"
import { type LiquidityQuote, type WithdrawLiquidityContent, withdrawLiquidityKind } from "../LiquidityContent.ts"
import type { OpenPosition } from "../LiquidityMarket.ts"
import { withdrawFields } from "../LiquidityOrder.ts"
import { WithdrawLiquidityRequest } from "../LiquidityRequest.ts"
import { boundedCosts } from "../plan/bounds.ts"
import { expectedMovements } from "../plan/expected.ts"
import { feeShares, listedShares } from "../plan/feeShares.ts"
import { marketDistanceE18 } from "../plan/poolPrices.ts"
import {
  type LiquidityError,
  makeGroundwork,
  orFail,
  planOf,
  provisionalLimits,
  receiverProblems,
  refused
} from "./groundwork.ts"

const requireRequest = requireValid(WithdrawLiquidityRequest)

const CALL_GAS = 900_000n

/** Nothing is left to take out of a position without liquidity and fees. */
const emptyProblem = ({ position }: OpenPosition): RequestProblem | null =>
  position.liquidity === 0n && position.unclaimed.amount0 === 0n && position.unclaimed.amount1 === 0n
    ? { path: "tokenId", code: "empty", message: `Position ${position.tokenId} is empty.` }
    : null

export const makeWithdraw = Effect.gen(function* () {
  const { openOwned, orderOf, positionIdOf, preparations, pricesOf, settings, store, withPositionId } =
    yield* makeGroundwork

  return Effect.fn("Liquidity.withdraw")(function* (
    project: Project,
    input: WithdrawLiquidityRequest
  ): Effect.fn.Return<LiquidityQuote<WithdrawLiquidityContent>, LiquidityError> {
    const request = yield* requireRequest(input)
    const { chainId, payGasFeeToken, slippage, toAddress, tokenOut } = request
    const order = yield* orderOf(project, request, { tokenOut, payGasFeeToken })
    const { collectors, tokens, wallet } = order
    yield* requireNoProblem([...feeProblems(request), ...receiverProblems(request)])
    const { context, opened, poolTokens } = yield* openOwned(order, tokens.tokenOut, withdrawFields)
    const { position } = opened
    yield* requireNoProblem([emptyProblem(opened)])
    const quoted = yield* pricesOf(chainId, [...Object.values(tokens), poolTokens.token0, poolTokens.token1])
    const shares = feeShares(request, collectors)
    const withdrawal = yield* opened
      .withdraw({
        share: ratioFromPercent(request.percentage),
        tokenOut: tokens.tokenOut,
        isToOwner: toAddress === wallet.account.address,
        fees: shares,
        slippagePercent: slippage
      })
      .pipe(Effect.catchTag("LIQUIDITY_REFUSAL", refused(withdrawFields)))
    const distanceE18 = marketDistanceE18([position.pool.sqrtPriceX96], { ...poolTokens, isInOrder: true }, quoted.usd)
    const warnings = yield* orFail(
      boundedCosts({ ...withdrawal, distanceE18 }, settings, request.acceptPriceImpact, "percentage")
    )
    const prepared = yield* preparations.prepare(context, {
      provisionalLimits: provisionalLimits(CALL_GAS),
      plan: planOf(order, withdrawal),
      spends: () => []
    })
    const { amountOut, collected, isEmptied, liquidity, minAmountOut, payments, priceImpactE18, removed } = withdrawal
    const content: WithdrawLiquidityContent = {
      ...contentOfPrepared(prepared, quoted),
      warnings: [...quoted.warnings, ...warnings],
      request,
      collectors,
      manager: position.manager,
      tokens: { ...poolTokens, ...tokens },
      liquidity,
      removed,
      collected,
      isEmptied,
      amountOut,
      minAmountOut,
      priceImpactE18,
      fees: [gasFeeOf(prepared.gas, prepared.intent), ...listedShares(tokens.tokenOut, shares, payments, request)]
    }
    const positionId = yield* positionIdOf(order, position)
    const quote = quoteOfPrepared({
      project,
      kind: withdrawLiquidityKind,
      content,
      prepared,
      transaction: {
        type: "LIQUIDITY_WITHDRAW",
        expected: expectedMovements(
          chainId,
          [
            {
              direction: "IN",
              role: "PRINCIPAL",
              account: toAddress,
              token: tokens.tokenOut,
              amount: amountOut,
              counterparty: position.pool.address
            }
          ],
          quoted.usd
        ),
        details: { liquidity: { manager: position.manager, tokenId: request.tokenId, positionId } }
      },
      metadata: withPositionId(request.metadata, positionId)
    })
    yield* store.insert([quote])
    return { quote, content }
  })
})
