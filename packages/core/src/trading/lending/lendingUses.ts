import type { Use } from "../../operations/quotes/index.ts"
import type { LendingLegs, LendingOffer } from "./LendingMarket.ts"

/**
 * The resources of a loan that an operation uses exclusively. Withdrawals and borrows both use the collateral's
 * capacity, and a second repayment may find no debt left. A supply has no conflicts.
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
