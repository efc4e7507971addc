import type { Use } from "../../operations/quotes/index.ts"
import type { LendingLegs, LendingOffer } from "./LendingMarket.ts"

/**
 * What of a loan an operation uses up. What is withdrawn and what is borrowed both take of what the collateral allows, and
 * the second repayment of a debt may find none. What is supplied is in nothing's way.
 */
export const lendingUses = (
  { borrow, repay, withdraw }: LendingLegs,
  { contract, marketId, marketToken }: Pick<LendingOffer, "contract" | "marketId" | "marketToken">
): ReadonlyArray<Use> => {
  const market = marketId === null ? contract : `market ${marketId} of ${contract}`
  const exclusive = (resource: string): Use => ({ resource, isExclusive: true })
  return [
    ...(borrow === undefined && withdraw === undefined ? [] : [exclusive(`what was supplied to ${market}`)]),
    ...(repay === undefined ? [] : [exclusive(`the debt in ${marketToken(repay.token).symbol} to ${market}`)])
  ]
}
