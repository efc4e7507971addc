import { lesser } from "../primitives/index.ts"
import type { TaxEntry, TaxKind, TaxLeg } from "../tax-treatment/index.ts"
import type { Asset } from "../tokens/index.ts"
import { keyOfAsset } from "./TaxAsset.ts"

/** What a leg beyond the principal is. */
const interestKinds: { readonly [Kind in TaxKind]?: TaxKind } = { COLLATERAL: "INCOME", DEBT: "FEE" }

const addsTo = ({ kind, movement: { direction } }: TaxLeg): boolean => (kind === "DEBT") === (direction === "IN")

/**
 * The entries of an account, in the order of time, with interest in legs of its own: what is withdrawn beyond what was supplied
 * is income, and what is repaid beyond what was borrowed is a cost. The principal comes first. Of a loan whose beginning is not
 * recorded no interest is known.
 */
export const withInterest = (entries: ReadonlyArray<TaxEntry>): ReadonlyArray<TaxEntry> => {
  const principals = new Map<string, bigint>()

  /** Takes an amount off a principal, as far as it goes; null where the principal is not known. */
  const takeOff = (holding: string, asset: Asset, amount: bigint): bigint | null => {
    const key = `${holding} ${keyOfAsset(asset)}`
    const principal = principals.get(key)
    if (principal === undefined) return null
    const taken = lesser(principal, amount)
    principals.set(key, principal - taken)
    return taken
  }

  const legsOf = (leg: TaxLeg): ReadonlyArray<TaxLeg> => {
    const { amount, holding, kind, movement } = leg
    if (holding === null || kind === "LIQUIDITY") return [leg]
    const interest = interestKinds[kind]
    if (interest !== undefined && addsTo(leg)) {
      const key = `${holding} ${keyOfAsset(movement.asset)}`
      principals.set(key, (principals.get(key) ?? 0n) + amount)
      return [leg]
    }
    const principal = takeOff(holding, movement.asset, amount)
    if (interest === undefined || principal === null) return [leg]
    return [
      { ...leg, amount: principal },
      { ...leg, amount: amount - principal, kind: interest, holding: null }
    ].filter((part) => part.amount > 0n)
  }

  return entries.map((entry) => {
    const { dischargedDebt, legs } = entry
    if (dischargedDebt !== undefined) {
      takeOff(dischargedDebt.holding, dischargedDebt.asset, dischargedDebt.amount)
    }
    return { ...entry, legs: legs.flatMap(legsOf) }
  })
}
