import type { Use } from "../../operations/quotes/index.ts"
import type { LendingLegs, LendingOffer } from "./LendingMarket.ts"

/**
 * The resources of a loan that an operation uses exclusively. Withdrawing and borrowing both use the collateral's
 * capacity, and the second repayment of a debt may find none. A supply conflicts with nothing.
 */
export const lendingUses = (
  { borrow, repay, withdraw }: LendingLegs,
  { contract, marketId, marketToken }: Pick<LendingOffer, "contract" | "marketId" | "marketToken">
): ReadonlyArray<Use> => {
  const market = marketId === null ? contract : `market ${marketId} of ${contract}`
  const exclusive = (resource: string): Use => ({ resource, isExclusive: true })
  return [
    ...(borrow === undefined && withdraw === undefined ? [] : [exclusive(`the supply to ${market}`)]),
    ...(repay === undefined ? [] : [exclusive(`the debt in ${marketToken(repay.token).symbol} to ${market}`)])
  ]
}
