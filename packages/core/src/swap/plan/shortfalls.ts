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

/** Less of a token arrives than the offer says. */
export interface Shortfall {
  readonly token: Token
  /** Whether the token's own transfers show it. Otherwise the pools may have changed since they were read. */
  readonly isTokensFault: boolean
}

/**
 * Whether less arrives in a run than the offer says. Of an amount that is not exact only less than the minimum counts. False where
 * the run does not show the receiver, such as one on another chain, where another token may have the same address.
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

/** Whether a part of what the last contracts of the route send goes to an account that keeps it, such as the fee's collector. */
const isPartKept = (
  { offer: { route, tokenOut } }: Pick<SwapPlan, "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): boolean => {
  const moved = transfers.filter(({ amount, token }) => token === tokenOut.address && amount > 0n)
  const givers = new Set<string | null>(route.map(({ hops }) => hops.at(-1)?.through ?? null))
  const senders = new Set<string>(moved.map(({ from }) => from))
  return moved.some(({ from, to }) => givers.has(from) && to !== recipient && !senders.has(to))
}

/** The contract that takes the amount first; null where that is not known, and for the coin, whose transfers cost no fee. */
const takerOf = ({ offer: { route, tokenIn } }: SwapPlan) => {
  const taker = route[0]?.hops[0]?.through
  return isNativeCoin(tokenIn.address) || taker === undefined || !isEvmAddress(taker) ? null : taker
}

/** Finds out by which token less arrives than was offered, by runs of parts of the plan. */
export const shortfalls = Effect.gen(function* () {
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

  const ofOutput = (
    plan: SwapPlan,
    recipient: WalletAddress,
    token: Token,
    transfers: ReadonlyArray<TokenTransfer>
  ): Shortfall | null =>
    arrivesShort(plan, recipient, transfers) ? { token, isTokensFault: isPartKept(plan, recipient, transfers) } : null

  const ofFailure = Effect.fnUntraced(function* (
    { request, tokens: { tokenIn, tokenOut } }: SwapOrder,
    plan: SwapPlan,
    context: OperationContext
  ): Effect.fn.Return<Shortfall | null, OfferError> {
    if ((context.state.balances.get(tokenKey(tokenIn)) ?? 0n) < plan.split.net) return null
    if (yield* arrivesShortAtRoute(plan, context)) return { token: tokenIn, isTokensFault: true }
    const { intent } = plan.offer
    if (intent._tag !== "Calls") return null
    const withoutMinimum = yield* intent.calls({ ...plan.terms, minAmountOut: 1n })
    return ofOutput(plan, request.toAddress, tokenOut, yield* transfersOf(context, withoutMinimum))
  })

  /** Null where a plan succeeds with all of the offer, or fails for another reason. */
  return (
    order: SwapOrder,
    plan: SwapPlan,
    { revert, transfers }: Simulation,
    context: OperationContext
  ): Effect.Effect<Shortfall | null, OfferError> =>
    revert !== null
      ? ofFailure(order, plan, context)
      : Effect.succeed(ofOutput(plan, order.request.toAddress, order.tokens.tokenOut, transfers))
})
