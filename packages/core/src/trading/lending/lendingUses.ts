import type { Use } from "../../operations/quotes/index.ts"
import type { LendingLegs, LendingOffer } from "./LendingMarket.ts"

/**
 * Returns the resources that an operation uses exclusively, to detect conflicting operations. Withdrawals and borrows
 * reduce the free collateral. A second repayment may find no debt. A supply conflicts with nothing.
 */
export const lendingUses = (
  { borrow, repay, withdraw }: LendingLegs,
  { contract, marketId, marketTokenOf: marketToken }: Pick<LendingOffer, "contract" | "marketId" | "marketTokenOf">
): ReadonlyArray<Use> => {
  const market = marketId === null ? contract : `market ${marketId} of ${contract}`
  const exclusiveUse = (resource: string): Use => ({ resource, isExclusive: true })
  return [
    ...(borrow === undefined && withdraw === undefined ? [] : [exclusiveUse(`the supply to ${market}`)]),
    ...(repay === undefined ? [] : [exclusiveUse(`the debt in ${marketToken(repay.token).symbol} to ${market}`)])
  ]
}
