import { Effect } from "effect"
import { isEvmAddress, isNativeCoin, type WalletAddress } from "../../primitives/index.ts"
import { Preparations } from "../../quotes/index.ts"
import { type Token, tokenKey } from "../../tokens/index.ts"
import {
  type Call,
  type OperationContext,
  type Simulation,
  type TokenTransfer,
  transfer
} from "../../user-operations/index.ts"
import type { OfferError } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import { SWAP_CALL_GAS, type SwapPlan } from "./swapPlan.ts"

const arrivingAt = (
  recipient: WalletAddress,
  token: string,
  transfers: ReadonlyArray<TokenTransfer>
): ReadonlyArray<bigint> =>
  transfers.flatMap((each) => (each.to === recipient && each.token === token ? [each.amount] : []))

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * Whether less arrives in a run than the offer says: the token has taken a fee, or the pools have changed since they were
 * read. Of a figure that is not exact only less than the least counts. False where the run does not tell of the receiver, as of
 * one on another chain, where another token may have the same address.
 */
const arrivesShort = (
  { minAmountOut, offer }: Pick<SwapPlan, "minAmountOut" | "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): boolean => {
  if (offer.tokenIn.chainId !== offer.tokenOut.chainId) return false
  const arrivals = arrivingAt(recipient, offer.tokenOut.address, transfers)
  return arrivals.length > 0 && sum(arrivals) < (offer.certainty === "EXACT" ? offer.amountOut : minAmountOut)
}

/** The contract that takes the amount first; null where that is not known, and for the coin, whose transfers cost no fee. */
const takerOf = ({ offer: { route, tokenIn } }: SwapPlan) => {
  const taker = route[0]?.hops[0]?.through
  return isNativeCoin(tokenIn.address) || taker === undefined || !isEvmAddress(taker) ? null : taker
}

/** Finds the token of a swap that takes a fee on its transfers, by runs of parts of the plan. */
export const transferFeeTokens = Effect.gen(function* () {
  const preparations = yield* Preparations

  const transfersOf = (context: OperationContext, calls: ReadonlyArray<Call>) =>
    Effect.map(
      preparations.prepare(context, {
        callGas: SWAP_CALL_GAS,
        plan: () => Effect.succeed({ calls }),
        spends: () => []
      }),
      ({ simulation }) => simulation.transfers
    )

  /** Whether less than what is sent arrives at the contract that takes it: routers then fail for the first thing that they miss. */
  const arrivesShortAtRoute = Effect.fnUntraced(function* (plan: SwapPlan, context: OperationContext) {
    const { offer, split } = plan
    const taker = takerOf(plan)
    if (taker === null) return false
    const transfers = yield* transfersOf(context, [transfer(offer.tokenIn, taker, split.net)])
    const arrivals = arrivingAt(taker, offer.tokenIn.address, transfers)
    return arrivals.length > 0 && sum(arrivals) < split.net
  })

  const ofFailure = Effect.fnUntraced(function* (
    { request, tokens: { tokenIn, tokenOut } }: SwapOrder,
    plan: SwapPlan,
    context: OperationContext
  ): Effect.fn.Return<Token | null, OfferError> {
    if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
    if (yield* arrivesShortAtRoute(plan, context)) return tokenIn
    const { intent } = plan.offer
    if (intent._tag !== "Calls") return null
    const withoutMinimum = yield* intent.calls({ ...plan.terms, minAmountOut: 1n })
    const arrivals = yield* transfersOf(context, withoutMinimum)
    return arrivesShort(plan, request.toAddress, arrivals) ? tokenOut : null
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
      : Effect.succeed(arrivesShort(plan, order.request.toAddress, transfers) ? order.tokens.tokenOut : null)
})
