import { Effect } from "effect"
import { isEvmAddress, type WalletAddress } from "../../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../../foundation/tokens/index.ts"
import {
  arrivalsAt,
  type OperationContext,
  type Simulation,
  sumOfArrivals,
  type TokenTransfer
} from "../../../operations/user-operations/index.ts"
import type { OfferError } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import type { SwapPlan } from "./swapPlan.ts"
import { transferFees } from "./transferFees.ts"

/** Less of a token arrives than offered. */
export interface Shortfall {
  readonly token: Token
  /**
   * Whether the token charges a fee on transfers. Otherwise the pools may have changed, or one of them pays a part to
   * others.
   */
  readonly isTokensFault: boolean
}

/**
 * The amount that arrives in a simulation, if it is less than offered. For an inexact amount only less than the minimum
 * counts. Null if the simulation does not show the receiver, such as one on another chain, where another token may have
 * the same address.
 */
const shortArrival = (
  { minAmountOut, offer }: Pick<SwapPlan, "minAmountOut" | "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): bigint | null => {
  if (offer.tokenIn.chainId !== offer.tokenOut.chainId) return null
  const arrivals = arrivalsAt(transfers, { token: offer.tokenOut.address, to: recipient })
  const sum = sumOfArrivals(arrivals)
  const isShort = arrivals.length > 0 && sum < (offer.certainty === "EXACT" ? offer.amountOut : minAmountOut)
  return isShort ? sum : null
}

/** The contract that first receives the amount; null if not known. */
const takerOf = ({ offer: { route } }: SwapPlan) => {
  const taker = route[0]?.hops[0]?.through
  return taker === undefined || !isEvmAddress(taker) ? null : taker
}

/** The contract that pays out the output; null if not known. */
const giverOf = ({ offer: { route } }: SwapPlan) => {
  const giver = route.at(-1)?.hops.at(-1)?.through
  return giver === undefined || !isEvmAddress(giver) ? null : giver
}

/** Finds the token of which less arrives than offered, by simulating parts of the plan. */
export const shortfalls = Effect.gen(function* () {
  const { takesFee, transfersOf } = yield* transferFees

  /** A token's transfer fee shows in a transfer after the swap, unlike payments of the route's pools to others. */
  const ofOutput = Effect.fnUntraced(function* (
    { request, tokens: { tokenOut } }: SwapOrder,
    plan: SwapPlan,
    transfers: ReadonlyArray<TokenTransfer>,
    context: OperationContext
  ): Effect.fn.Return<Shortfall | null, OfferError> {
    const arrived = shortArrival(plan, request.toAddress, transfers)
    const { intent } = plan.offer
    if (arrived === null) return null
    const giver = giverOf(plan)
    if (intent._tag !== "Calls" || giver === null) return { token: tokenOut, isTokensFault: false }
    const swap = intent.calls({ ...plan.terms, recipient: plan.terms.sender, minAmountOut: 1n })
    return { token: tokenOut, isTokensFault: yield* takesFee(context, tokenOut, giver, arrived, () => swap) }
  })

  /** Routers fail at the first deficit: a short input at the receiving contract, or an output below the minimum. */
  const ofFailure = Effect.fnUntraced(function* (
    order: SwapOrder,
    plan: SwapPlan,
    context: OperationContext
  ): Effect.fn.Return<Shortfall | null, OfferError> {
    const { tokenIn } = order.tokens
    const { intent } = plan.offer
    if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
    const taker = takerOf(plan)
    if (taker !== null && (yield* takesFee(context, tokenIn, taker, plan.split.net))) {
      return { token: tokenIn, isTokensFault: true }
    }
    if (intent._tag !== "Calls") return null
    const withoutMinimum = intent.calls({ ...plan.terms, minAmountOut: 1n })
    return yield* ofOutput(order, plan, yield* transfersOf(context, () => withoutMinimum), context)
  })

  /** Null if a plan succeeds with the whole offer, or fails for another reason. */
  return (
    order: SwapOrder,
    plan: SwapPlan,
    { revert, transfers }: Simulation,
    context: OperationContext
  ): Effect.Effect<Shortfall | null, OfferError> =>
    revert === null ? ofOutput(order, plan, transfers, context) : ofFailure(order, plan, context)
})
