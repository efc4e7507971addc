import { Effect } from "effect"
import { requireValid } from "../../../foundation/errors/index.ts"
import { feeShares } from "../../../foundation/fees/index.ts"
import { feeProblem, preparedContent, requireNoProblems } from "../../../operations/quotes/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { BlockchainError } from "../errors.ts"
import { rebalanceLiquidityKind } from "../LiquidityContent.ts"
import { RebalanceLiquidityRequest } from "../LiquidityRequest.ts"
import { checkCosts, LiquiditySettings } from "../plan/bounds.ts"
import { placementContent } from "../plan/contents.ts"
import { feesForDisplay } from "../plan/feesForDisplay.ts"
import { conventionOf, type DisplayPair } from "../plan/poolPrices.ts"
import { priceProblem, requestedRange } from "../plan/requestedRange.ts"
import { liquidityContext, preparationOf, receiverProblems, rejectRebalance } from "./context.ts"

const requireRequest = requireValid(RebalanceLiquidityRequest)

const CALL_GAS = 1_400_000n
const PREFIX = "newPosition."

export const makeRebalance = Effect.gen(function* () {
  const { openOwned, orderOf, preparations } = yield* liquidityContext
  const settings = yield* LiquiditySettings

  return Effect.fn("Liquidity.rebalance")(
    function* (project: Project, input: RebalanceLiquidityRequest) {
      const request = yield* requireRequest(input)
      const { chainId, newPosition, payGasFeeToken, slippage } = request
      const order = yield* orderOf(project, request, { payGasFeeToken }, () => ({
        others: requireNoProblems([
          feeProblem(request),
          ...receiverProblems(request),
          priceProblem(newPosition, PREFIX)
        ])
      }))
      const { collectors, tokens, wallet } = order
      const shares = feeShares(request, collectors)
      const readData = Effect.gen(function* () {
        const ownedPosition = yield* openOwned(order, null, true)
        const { opened, poolTokens, position, prices } = ownedPosition
        const { pool } = position
        const pair: DisplayPair = { ...poolTokens, isInOrder: true }
        const range = yield* Effect.fromResult(
          requestedRange(newPosition, conventionOf(pair), pool.tickSpacing, PREFIX)
        )
        const rebalanceOffer = yield* opened.rebalance({ range, fees: shares, slippagePercent: slippage })
        const costs = { ...rebalanceOffer, sqrtPricesX96: [pool.sqrtPriceX96, rebalanceOffer.sqrtPriceX96], pair }
        const warnings = yield* Effect.fromResult(checkCosts(costs, prices, settings, request, "newPosition"))
        return { ...ownedPosition, pair, rebalancing: rebalanceOffer, warnings }
      })
      return yield* preparations.quote(
        { project, wallet, chainId, payGasFeeToken: tokens.payGasFeeToken, spent: [] },
        {
          kind: rebalanceLiquidityKind,
          readData,
          prepare: ({ rebalancing }) => preparationOf(CALL_GAS, order, rebalancing),
          readExtraData: () => Effect.void,
          respond: ({ featureData: { about, metadata, pair, position, prices, rebalancing, warnings }, prepared }) => {
            const { collected, payments, removed } = rebalancing
            const listedFees = (name: "token0" | "token1", amount: "amount0" | "amount1") =>
              feesForDisplay(
                pair[name],
                shares,
                payments.map((payment) => payment[amount]),
                request
              )
            const fees = [...listedFees("token0", "amount0"), ...listedFees("token1", "amount1")]
            return Effect.succeed({
              type: "LIQUIDITY_REBALANCE",
              content: {
                ...preparedContent(prepared, prices, fees, chainId),
                ...placementContent(rebalancing, pair),
                warnings,
                request,
                collectors,
                manager: position.manager,
                tokens: { token0: pair.token0, token1: pair.token1, ...tokens },
                removed,
                collected
              },
              expected: [],
              ...about,
              metadata
            })
          }
        }
      )
    },
    Effect.catchTag("LIQUIDITY_REFUSAL", rejectRebalance),
    Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) => Effect.fail(new BlockchainError({ reason: error.message })))
  )
})
