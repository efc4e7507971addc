import { minBigInt } from "../../foundation/primitives/index.ts"
import type { TaxEntry, TaxKind, TaxLeg } from "../tax-treatment/index.ts"

/** The tax purpose of the amount above the principal. */
const interestKinds: { readonly [Kind in TaxKind]?: TaxKind } = { COLLATERAL: "INCOME", DEBT: "FEE" }

const increasesPrincipal = ({ kind, movement: { direction } }: TaxLeg): boolean =>
  (kind === "DEBT") === (direction === "IN")

/**
 * Returns the entries of an account with interest in separate legs. The entries must be sorted by time. A repayment or
 * withdrawal first counts as principal. A withdrawn amount above the supply is income, and a repaid amount above the
 * debt is a cost. If the start of a loan is not recorded, its interest is unknown, and everything counts as principal.
 */
export const withInterest = (entries: ReadonlyArray<TaxEntry>): ReadonlyArray<TaxEntry> => {
  const principals = new Map<string, bigint>()

  /**
   * Subtracts an amount from a principal, down to zero. Returns the subtracted part. Null if the principal is unknown.
   */
  const subtractFromPrincipal = (holding: string, amount: bigint): bigint | null => {
    const principal = principals.get(holding)
    if (principal === undefined) return null
    const principalPart = minBigInt(principal, amount)
    principals.set(holding, principal - principalPart)
    return principalPart
  }

  const legsOf = (leg: TaxLeg): ReadonlyArray<TaxLeg> => {
    const { amount, holding, kind } = leg
    if (holding === null || kind === "LIQUIDITY") return [leg]
    const interest = interestKinds[kind]
    if (interest !== undefined && increasesPrincipal(leg)) {
      principals.set(holding, (principals.get(holding) ?? 0n) + amount)
      return [leg]
    }
    const principal = subtractFromPrincipal(holding, amount)
    if (interest === undefined || principal === null) return [leg]
    return [
      { ...leg, amount: principal },
      { ...leg, amount: amount - principal, kind: interest, holding: null }
    ].filter((part) => part.amount > 0n)
  }

  return entries.map((entry) => {
    const { dischargedDebt, legs } = entry
    if (dischargedDebt !== undefined) subtractFromPrincipal(dischargedDebt.holding, dischargedDebt.amount)
    return { ...entry, legs: legs.flatMap(legsOf) }
  })
}
