import type { Movement } from "../../accounting/history/index.ts"
import { decimalFromBaseUnits, isNativeToken } from "../../foundation/primitives/index.ts"
import type { QuotedPrices } from "../../foundation/tokens/index.ts"
import {
  type ExpectedMovement,
  expectedMovements,
  type PreparedOperation,
  preparedContent
} from "../../operations/quotes/index.ts"
import type { LendingContent, QuotedLeg } from "./LendingContent.ts"
import type { LendingLegs, LendingOffer, LendingOutcome } from "./LendingMarket.ts"
import type { LendingPlan } from "./LendingPlan.ts"
import { type LendingAction, lendingActions } from "./LendingType.ts"
import { lendingDetails } from "./lendingDetails.ts"
import type { ResolvedLending } from "./lendingOrders.ts"

const isOutgoing = (action: LendingAction): boolean => action === "supply" || action === "repay"

const quotedLegs = (legs: LendingLegs, offer: LendingOffer): LendingContent["legs"] =>
  Object.fromEntries(
    lendingActions.flatMap((action): ReadonlyArray<readonly [LendingAction, QuotedLeg]> => {
      const leg = legs[action]
      if (leg === undefined) return []
      const { amount, token } = leg
      return [[action, { token, amount: offer.amountOf(action, amount), isMax: amount === "MAX" }]]
    })
  )

const receiptOf = ({ supply, withdraw }: LendingLegs, offer: LendingOffer): LendingContent["receipt"] => {
  if (supply !== undefined) return offer.receiptOf("supply", supply.amount)
  return withdraw === undefined ? null : offer.receiptOf("withdraw", withdraw.amount)
}

/** Builds the content of a lending quote. */
export const contentOf = (
  { chainId, payGasFeeToken, provider, request, type }: ResolvedLending,
  offer: LendingOffer,
  outcome: LendingOutcome,
  preparedOperation: PreparedOperation<LendingPlan>,
  prices: QuotedPrices
): LendingContent => ({
  ...preparedContent(preparedOperation, prices, [], chainId),
  request,
  type,
  provider: { id: provider.id, name: provider.name },
  chainId,
  marketId: offer.marketId,
  side: offer.side,
  legs: quotedLegs(preparedOperation.plan.legs, offer),
  receipt: receiptOf(preparedOperation.plan.legs, offer),
  payGasFeeToken,
  outcome
})

/** Returns the movements that the operation is expected to cause, with the quoted amounts. */
export const expectedMovementsOf = (
  { wallet }: ResolvedLending,
  { legs }: LendingContent,
  { contract }: LendingOffer,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const account = wallet.account.address
  const plannedMovements = lendingActions.flatMap((action): ReadonlyArray<ExpectedMovement> => {
    const leg = legs[action]
    if (leg === undefined) return []
    const direction = isOutgoing(action) ? "OUT" : "IN"
    return [{ direction, role: "PRINCIPAL", account, token: leg.token, amount: leg.amount, counterparty: contract }]
  })
  return expectedMovements(plannedMovements, usd)
}

/** Returns the wrapped token, if a leg uses the native token. */
const wrappedTokenOf = (legs: LendingContent["legs"], marketToken: LendingOffer["marketTokenOf"]) => {
  const nativeTokenLeg = Object.values(legs).find((leg) => leg !== undefined && isNativeToken(leg.token.address))
  return nativeTokenLeg === undefined ? {} : { wrapped: marketToken(nativeTokenLeg.token).address }
}

/** Builds the details of the transaction for the history and webhooks. Its movements are stored separately. */
export const detailsOf = (
  { legs, marketId, outcome, provider }: LendingContent,
  { marketTokenOf: marketToken }: LendingOffer
) =>
  lendingDetails.of({
    provider: provider.id,
    marketId,
    healthFactorBefore: textOrNull(outcome.before.healthFactorE18),
    healthFactorAfter: textOrNull(outcome.after?.healthFactorE18 ?? null),
    ...wrappedTokenOf(legs, marketToken),
    repaid: null
  })

const textOrNull = (e18: bigint | null): string | null => (e18 === null ? null : decimalFromBaseUnits(e18, 18))
