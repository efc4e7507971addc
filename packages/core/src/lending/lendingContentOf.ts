import type { Movement } from "../history/index.ts"
import { decimalFromBaseUnits } from "../primitives/index.ts"
import { contentOfPrepared, gasFeeOf, type Prepared } from "../quotes/index.ts"
import { type QuotedPrices, tokenKey, usdValueOrNull } from "../tokens/index.ts"
import type { LendingContent, QuotedLeg } from "./LendingContent.ts"
import type { LendingLegs, LendingOffer, LendingOutcome } from "./LendingMarket.ts"
import type { ResolvedOrder } from "./LendingOrder.ts"
import type { LendingPlan } from "./LendingPlan.ts"
import { type LendingAction, lendingActions } from "./LendingType.ts"

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

/** The computed content of a lending operation that is ready to be signed. */
export const contentOf = (
  order: ResolvedOrder,
  offer: LendingOffer,
  outcome: LendingOutcome,
  prepared: Prepared<LendingPlan>,
  prices: QuotedPrices
): LendingContent => ({
  ...contentOfPrepared(prepared, prices),
  request: order.request,
  type: order.type,
  provider: { id: order.provider.id, name: order.provider.name },
  chainId: order.chainId,
  marketId: offer.marketId,
  side: offer.side,
  legs: quotedLegs(prepared.operation.plan.legs, offer),
  receiptToken: offer.receiptToken,
  payGasFeeToken: order.payGasFeeToken,
  outcome,
  fees: [gasFeeOf(prepared.gas, prepared.intent)]
})

/** The expected movements, as quoted. */
export const expectedOf = (
  { wallet }: ResolvedOrder,
  { legs }: LendingContent,
  offer: LendingOffer,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> =>
  lendingActions.flatMap((action): ReadonlyArray<Movement> => {
    const leg = legs[action]
    if (leg === undefined) return []
    const { amount, token } = leg
    return [
      {
        direction: isOutgoing(action) ? "OUT" : "IN",
        role: "PRINCIPAL",
        account: wallet.account.address,
        asset: { chainId: token.chainId, token: token.address },
        amount,
        usd: usdValueOrNull(amount, token, usd.get(tokenKey(token))),
        counterparty: offer.contract,
        leg: 0
      }
    ]
  })

/** What history and webhooks say of a lending operation, beyond its movements. */
export const detailsOf = ({ marketId, outcome, provider }: LendingContent) => ({
  lending: {
    provider: provider.id,
    marketId,
    healthFactorBefore: textOrNull(outcome.before.healthFactorE18),
    healthFactorAfter: textOrNull(outcome.after?.healthFactorE18 ?? null)
  }
})

const textOrNull = (e18: bigint | null): string | null => (e18 === null ? null : decimalFromBaseUnits(e18, 18))
