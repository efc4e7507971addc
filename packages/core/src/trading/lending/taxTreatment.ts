import type { Movement } from "../../accounting/history/index.ts"
import {
  fullPartOf,
  holdingKey,
  isPrincipal,
  legOf,
  type TaxableTransaction,
  type TaxEntry,
  type TaxKind,
  type TaxTreatment,
  treatAsExchange,
  withFees
} from "../../accounting/tax-treatment/index.ts"
import { isNativeToken, ZERO_ADDRESS } from "../../foundation/primitives/index.ts"
import { type Asset, isToken } from "../../foundation/tokens/index.ts"
import type { LendingType } from "./LendingType.ts"
import { lendingDetails } from "./lendingDetails.ts"

const kindsByType: Readonly<Record<LendingType, Readonly<Record<Movement["direction"], "COLLATERAL" | "DEBT">>>> = {
  LENDING_SUPPLY: { OUT: "COLLATERAL", IN: "COLLATERAL" },
  LENDING_WITHDRAW: { OUT: "COLLATERAL", IN: "COLLATERAL" },
  LENDING_BORROW: { OUT: "DEBT", IN: "DEBT" },
  LENDING_REPAY: { OUT: "DEBT", IN: "DEBT" },
  LENDING_SUPPLY_BORROW: { OUT: "COLLATERAL", IN: "DEBT" },
  LENDING_REPAY_WITHDRAW: { OUT: "DEBT", IN: "COLLATERAL" }
}

/**
 * Returns the key of a wallet's supply or debt in a market. All transactions of the same supply or debt have the same
 * key.
 */
const holdingOf = (
  kind: Extract<TaxKind, "COLLATERAL" | "DEBT">,
  { transaction }: TaxableTransaction,
  asset: Asset
): string => {
  const { marketId, provider, wrapped } = lendingDetails.in(transaction) ?? {}
  const token = isToken(asset) ? asset.token : null
  const marketToken = token !== null && isNativeToken(token) ? (wrapped ?? token) : token
  return holdingKey(kind, asset, provider ?? "", marketId ?? "", marketToken ?? "")
}

/**
 * Returns whether a movement belongs to native tokens that are wrapped but not repaid, because they exceed the debt.
 */
const isOnlyWrapped =
  ({ transaction }: TaxableTransaction) =>
  ({ asset, counterparty, direction }: Movement): boolean => {
    const wrappedToken = lendingDetails.in(transaction)?.wrapped
    if (wrappedToken === undefined || !isToken(asset)) return false
    return isNativeToken(asset.token)
      ? direction === "OUT" && counterparty === wrappedToken
      : direction === "IN" && asset.token === wrappedToken && counterparty === ZERO_ADDRESS
  }

/**
 * Treats collateral and debt neither as disposals nor as acquisitions. Amounts above the principal, withdrawn or
 * repaid, are interest. If a repayment wraps more native tokens than the debt, the excess is treated as exchanged for
 * the wrapped token.
 */
export const lendingTreatment =
  (type: LendingType): TaxTreatment =>
  (taxable) => {
    const isExchanged = kindsByType[type].OUT === "DEBT" ? isOnlyWrapped(taxable) : () => false
    const { movements } = taxable
    const legs = movements
      .filter((movement) => isPrincipal(movement) && !isExchanged(movement))
      .map((movement) => {
        const kind = kindsByType[type][movement.direction]
        return legOf(fullPartOf(movement), kind, holdingOf(kind, taxable, movement.asset))
      })
    const lendingEntries = withFees(legs.length === 0 ? [] : [{ legs }], movements)
    return [...lendingEntries, ...treatAsExchange({ ...taxable, movements: movements.filter(isExchanged) })]
  }

/**
 * Treats the seized collateral as disposed of by the wallet. The liquidator repays the debt, and the protocol may cancel
 * the rest of it. A cancelled debt has no movement, so its entry has no legs.
 */
export const liquidationTreatment: TaxTreatment = (taxable) => {
  const { cancelled = [], repaid = null } = lendingDetails.in(taxable.transaction) ?? {}
  return taxable.movements.flatMap((movement): ReadonlyArray<TaxEntry> => {
    const { asset } = movement
    const legs = [legOf(fullPartOf(movement), "DISPOSAL", holdingOf("COLLATERAL", taxable, asset))]
    if (repaid === null || !isToken(asset)) return [{ legs }]
    const [repaidDebt, ...cancelledDebts] = [repaid, ...cancelled].map(({ amount, token }) => ({
      holding: holdingOf("DEBT", taxable, { chainId: asset.chainId, token }),
      amount
    }))
    return [
      { legs, dischargedDebt: repaidDebt! },
      ...cancelledDebts.map((dischargedDebt) => ({ legs: [], dischargedDebt }))
    ]
  })
}
