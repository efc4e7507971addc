import { Effect } from "effect"
import type { Transaction } from "../../../accounting/history/index.ts"
import { type RequestProblem, requireNoProblem, requireValid } from "../../../foundation/errors/index.ts"
import { feeShares } from "../../../foundation/fees/index.ts"
import { mulDivRoundingDown, ratioFromPercent, shareRoundingDown } from "../../../foundation/primitives/index.ts"
import { expectedMovements, feeProblem, preparedContent, requireNoProblems } from "../../../operations/quotes/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { withdrawLiquidityKind } from "../LiquidityContent.ts"
import type { Withdrawal } from "../LiquidityMarket.ts"
import { WithdrawLiquidityRequest } from "../LiquidityRequest.ts"
import type { TokenAmounts } from "../math/index.ts"
import type { Position } from "../Position.ts"
import { checkCosts, LiquiditySettings } from "../plan/bounds.ts"
import { feesForDisplay } from "../plan/feesForDisplay.ts"
import { ONE_E18, positionDetails } from "../positionDetails.ts"
import { liquidityContext, preparationOf, receiverProblems, rejectWithdrawal } from "./context.ts"

const requireRequest = requireValid(WithdrawLiquidityRequest)

const CALL_GAS = 900_000n

/** Returns a problem if the position has no liquidity and no fees. */
const emptyProblem = ({ liquidity, tokenId, unclaimed }: Position): RequestProblem | null =>
  liquidity === 0n && unclaimed.amount0 === 0n && unclaimed.amount1 === 0n
    ? { path: "tokenId", code: "empty", message: `Position ${tokenId} has no liquidity and no fees.` }
    : null

/** Returns the total value of both amounts at the pool's price, in base units of token1 multiplied by 2^192. */
const valueX192 = ({ amount0, amount1 }: TokenAmounts, { sqrtPriceX96 }: Position["pool"]): bigint =>
  amount0 * sqrtPriceX96 ** 2n + (amount1 << 192n)

/**
 * Returns the position's details with the withdrawn share, and the fraction of the withdrawn value that comes from
 * fees.
 */
const withdrawalDetails = (
  about: Pick<Transaction, "details">,
  { pool }: Position,
  percentage: number,
  { collected, removed }: Pick<Withdrawal, "collected" | "removed">
): Transaction["details"] => {
  const [totalValue, valueWithoutFees] = [valueX192(collected, pool), valueX192(removed, pool)]
  const withdrawnDetails = {
    shareE18: shareRoundingDown(ONE_E18, ratioFromPercent(percentage)),
    earnedE18: totalValue === 0n ? 0n : mulDivRoundingDown(totalValue - valueWithoutFees, ONE_E18, totalValue)
  }
  const position = positionDetails.in(about)
  return position === null ? about.details : positionDetails.with(about, { ...position, withdrawn: withdrawnDetails })
}

export const makeWithdraw = Effect.gen(function* () {
  const { openOwned, orderOf, preparations } = yield* liquidityContext
  const settings = yield* LiquiditySettings

  return Effect.fn("Liquidity.withdraw")(
    function* (project: Project, input: WithdrawLiquidityRequest) {
      const request = yield* requireRequest(input)
      const { chainId, payGasFeeToken, percentage, slippage, toAddress, tokenOut } = request
      const order = yield* orderOf(project, request, { tokenOut, payGasFeeToken }, () => ({
        others: requireNoProblems([feeProblem(request), ...receiverProblems(request)])
      }))
      const { collectors, tokens, wallet } = order
      const shares = feeShares(request, collectors)
      const readData = Effect.gen(function* () {
        const ownedPosition = yield* openOwned(order, tokens.tokenOut, true)
        const { opened, poolTokens, position, prices } = ownedPosition
        yield* requireNoProblem([emptyProblem(position)])
        const withdrawal = yield* opened.withdraw({
          share: ratioFromPercent(percentage),
          tokenOut: tokens.tokenOut,
          isToOwner: toAddress === wallet.account.address,
          fees: shares,
          slippagePercent: slippage
        })
        const costs = {
          ...withdrawal,
          sqrtPricesX96: [position.pool.sqrtPriceX96],
          pair: { ...poolTokens, isInOrder: true }
        }
        const warnings = yield* Effect.fromResult(checkCosts(costs, prices, settings, request, "percentage"))
        return { ...ownedPosition, withdrawal, warnings }
      })
      return yield* preparations.quote(
        { project, wallet, chainId, payGasFeeToken: tokens.payGasFeeToken, spent: [] },
        {
          kind: withdrawLiquidityKind,
          readData,
          prepare: ({ withdrawal }) => preparationOf(CALL_GAS, order, withdrawal),
          readExtraData: () => Effect.void,
          respond: ({
            featureData: { about, metadata, poolTokens, position, prices, warnings, withdrawal },
            prepared
          }) => {
            const { buildCalls: _, payments, ...withdrawalContent } = withdrawal
            const fees = feesForDisplay(tokens.tokenOut, shares, payments, request)
            const receivedMovement = { account: toAddress, token: tokens.tokenOut, amount: withdrawalContent.amountOut }
            const commonFields = { direction: "IN", role: "PRINCIPAL", counterparty: position.pool.address } as const
            return Effect.succeed({
              type: "LIQUIDITY_WITHDRAW",
              content: {
                ...preparedContent(prepared, prices, fees, chainId),
                ...withdrawalContent,
                warnings,
                request,
                collectors,
                manager: position.manager,
                tokens: { ...poolTokens, ...tokens }
              },
              expected: expectedMovements([{ ...commonFields, ...receivedMovement }], prices.usd),
              ...about,
              details: withdrawalDetails(about, position, percentage, withdrawal),
              metadata
            })
          }
        }
      )
    },
    Effect.catchTag("LIQUIDITY_REFUSAL", rejectWithdrawal)
  )
})
