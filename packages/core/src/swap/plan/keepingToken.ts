import { Effect } from "effect"
import { Preparations } from "../../quotes/index.ts"
import { type Token, tokenKey } from "../../tokens/index.ts"
import type { Call, OperationContext, Simulation } from "../../user-operations/index.ts"
import type { OfferError } from "../provider/Offer.ts"
import type { SwapOrder } from "../SwapOrder.ts"
import { arrivesShort, keepsInput, transferToRoute } from "./keptByToken.ts"
import { provisionalLimits, type SwapPlan } from "./swapPlan.ts"

/** Finds the token of a swap that keeps a part of what is sent, by runs of parts of the plan. */
export const keepingTokens = Effect.gen(function* () {
  const preparations = yield* Preparations

  const transfersOf = (context: OperationContext, calls: ReadonlyArray<Call>) =>
    Effect.map(
      preparations.prepare(context, {
        provisionalLimits,
        plan: () => Effect.succeed({ calls }),
        spends: () => []
      }),
      ({ operation }) => operation.simulation.transfers
    )

  const ofFailure = Effect.fnUntraced(function* (
    { recipient, tokens: { tokenIn, tokenOut } }: SwapOrder,
    plan: SwapPlan,
    context: OperationContext
  ): Effect.fn.Return<Token | null, OfferError> {
    if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
    const sent = transferToRoute(plan)
    if (sent !== null && keepsInput(plan, yield* transfersOf(context, [sent]))) return tokenIn
    const { intent } = plan.offer
    if (intent._tag !== "Calls") return null
    const whateverArrives = yield* intent.calls({ ...plan.terms, minAmountOut: 1n })
    const arrivals = yield* transfersOf(context, whateverArrives)
    return arrivesShort(plan, recipient, arrivals) ? tokenOut : null
  })

  /**
   * The token by which a plan fails, or lets less arrive than the offer says; null where it does neither, or fails for
   * something else.
   */
  return (
    order: SwapOrder,
    plan: SwapPlan,
    { revert, transfers }: Simulation,
    context: OperationContext
  ): Effect.Effect<Token | null, OfferError> =>
    revert !== null
      ? ofFailure(order, plan, context)
      : Effect.succeed(arrivesShort(plan, order.recipient, transfers) ? order.tokens.tokenOut : null)
})
