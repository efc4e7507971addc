import type { Movement } from "../history/index.ts"
import { isNativeCoin } from "../primitives/index.ts"
import {
  holdingKey,
  isPrincipal,
  legOf,
  type TaxableTransaction,
  type TaxEntry,
  type TaxKind,
  type TaxTreatment,
  wholeOf,
  withFees
} from "../tax-treatment/index.ts"
import { isToken } from "../tokens/index.ts"
import type { LendingType } from "./LendingType.ts"
import { lendingDetails } from "./lendingDetails.ts"

const kindsOf: Readonly<Record<LendingType, Readonly<Record<Movement["direction"], "COLLATERAL" | "DEBT">>>> = {
  LENDING_SUPPLY: { OUT: "COLLATERAL", IN: "COLLATERAL" },
  LENDING_WITHDRAW: { OUT: "COLLATERAL", IN: "COLLATERAL" },
  LENDING_BORROW: { OUT: "DEBT", IN: "DEBT" },
  LENDING_REPAY: { OUT: "DEBT", IN: "DEBT" },
  LENDING_SUPPLY_BORROW: { OUT: "COLLATERAL", IN: "DEBT" },
  LENDING_REPAY_WITHDRAW: { OUT: "DEBT", IN: "COLLATERAL" }
}

/** The supply or the debt of a wallet in a market has one key through all of its transactions. */
const holdingOf = (
  kind: Extract<TaxKind, "COLLATERAL" | "DEBT">,
  { transaction }: TaxableTransaction,
  { asset }: Movement
): string => {
  const details = lendingDetails.in(transaction)
  const wrapped = details?.wrapped ?? null
  // A market has the native token in its wrapped form, by which it may be withdrawn or repaid later.
  const held = wrapped !== null && isToken(asset) && isNativeCoin(asset.token) ? { ...asset, token: wrapped } : asset
  return holdingKey(kind, held, details?.provider ?? "", details?.marketId ?? "")
}

/** Collateral and debt are neither disposals nor acquisitions. Interest is the amount that is withdrawn or repaid beyond them. */
export const lendingTreatment =
  (type: LendingType): TaxTreatment =>
  (taxable) => {
    const legs = taxable.movements.filter(isPrincipal).map((movement) => {
      const kind = kindsOf[type][movement.direction]
      return legOf(wholeOf(movement), kind, holdingOf(kind, taxable, movement))
    })
    return withFees(legs.length === 0 ? [] : [{ legs }], taxable.movements)
  }

/** A liquidator takes collateral, which the wallet disposes of, and repays debt. */
export const liquidationTreatment: TaxTreatment = (taxable) =>
  taxable.movements.map((movement): TaxEntry => {
    const repaid = lendingDetails.in(taxable.transaction)?.repaid ?? null
    const legs = [legOf(wholeOf(movement), "DISPOSAL", holdingOf("COLLATERAL", taxable, movement))]
    const { asset } = movement
    if (repaid === null || !isToken(asset)) return { legs }
    return {
      legs,
      dischargedDebt: {
        holding: holdingOf("DEBT", taxable, movement),
        asset: { chainId: asset.chainId, token: repaid.token },
        amount: repaid.amount
      }
    }
  })
