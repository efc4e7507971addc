import { isNativeToken, MAX_UINT256, minBigInt } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import type { LendingLeg, LendingLegs, LendingMarket, LendingOffer } from "@countersign/core/trading/lending"
import { Effect, Record } from "effect"
import { toWrappedToken } from "../../chains/deployments/index.ts"
import { wrapCall, wrappedNativeData } from "../../chains/evm/index.ts"
import { amountText, callOf } from "./lendingCalls.ts"

const isNative = (leg: LendingLeg | undefined): leg is LendingLeg =>
  leg !== undefined && isNativeToken(leg.token.address)

const unwrapCallOf = (native: Token, { address, symbol }: Token, amount: bigint): Call =>
  callOf(address, wrappedNativeData("withdraw", [amount]), `Unwrap ${amountText(amount, native)} of ${symbol}`)

const UNWRAP_SELECTOR = wrappedNativeData("withdraw", [0n]).slice(0, 10)

const noticesOf = (
  { repay, withdraw }: LendingLegs,
  { symbol }: Token,
  { amountOf }: LendingOffer
): ReadonlyArray<string> => [
  ...(isNative(repay) && (repay.amount === "MAX" || repay.amount > amountOf("repay", "MAX"))
    ? [
        `The operation wraps the largest possible debt. The amount that the market does not take stays in the wallet as ${symbol}.`
      ]
    : []),
  ...(isNative(withdraw) && withdraw.amount === "MAX"
    ? [`The operation unwraps the quoted amount. The wallet receives the interest since the quote as ${symbol}.`]
    : [])
]

/**
 * Adds support for the native token to a lending market. The same operation wraps the token before a supply or
 * repayment, and unwraps it after a loan or withdrawal.
 */
export const withNativeToken = (market: LendingMarket): LendingMarket => ({
  ...market,
  offer: (order) => {
    const native = Object.values(order.legs).find(isNative)?.token
    return native === undefined
      ? market.offer(order)
      : Effect.map(market.offer({ ...order, legs: marketLegs(order.legs) }), (offer) => nativeOffer(offer, native))
  }
})

const marketLegs = (legs: LendingLegs): LendingLegs =>
  Record.map(legs as Record<string, LendingLeg>, (leg) => ({ ...leg, token: toWrappedToken(leg.token) }))

const nativeOffer = (offer: LendingOffer, native: Token): LendingOffer => {
  const wrappedToken = toWrappedToken(native)
  const callsBefore = (leg: LendingLeg | undefined, maxAmount: bigint) =>
    isNative(leg)
      ? [wrapCall(native, wrappedToken, leg.amount === "MAX" ? maxAmount : minBigInt(leg.amount, maxAmount))]
      : []
  const callsAfter = (leg: LendingLeg | undefined, fullAmount: bigint) =>
    isNative(leg) ? [unwrapCallOf(native, wrappedToken, leg.amount === "MAX" ? fullAmount : leg.amount)] : []
  return {
    ...offer,
    marketTokenOf: toWrappedToken,
    buildCalls: (legs, maxDebt) => [
      ...callsBefore(legs.supply, MAX_UINT256),
      ...callsBefore(legs.repay, maxDebt),
      ...offer.buildCalls(marketLegs(legs), maxDebt),
      ...callsAfter(legs.borrow, 0n),
      ...callsAfter(legs.withdraw, offer.amountOf("withdraw", "MAX"))
    ],
    // The simulation omits the unwrapping, because it executes Multicall3's code at the account, which can't receive
    // the native token. The unwrapping changes no figure.
    simulateOutcome: (calls) =>
      offer.simulateOutcome(
        calls.filter(({ data, to }) => to !== wrappedToken.address || !data.startsWith(UNWRAP_SELECTOR))
      ),
    conflictsOf: (legs) => offer.conflictsOf(marketLegs(legs)),
    noticesOf: (legs) => noticesOf(legs, wrappedToken, offer)
  }
}
