import type { Movement } from "../../accounting/history/index.ts"
import {
  fullPartOf,
  holdingKey,
  isPrincipal,
  legOf,
  netMovements,
  type TaxableTransaction,
  type TaxLeg,
  type TaxTreatment,
  withFees
} from "../../accounting/tax-treatment/index.ts"
import { shareRoundingDown } from "../../foundation/primitives/index.ts"
import { ONE_E18, positionDetails } from "./positionDetails.ts"

/** Returns the key of a position, which is the same in all of its transactions. */
const holdingOf = ({ transaction }: TaxableTransaction, { asset }: Movement): string => {
  const position = positionDetails.in(transaction)
  const name = position?.positionId ?? position?.tokenId ?? transaction.id
  return holdingKey("POSITION", asset, position?.manager ?? "", name)
}

const isOut = ({ movement }: TaxLeg): boolean => movement.direction === "OUT"

/** Returns the tax legs of a position. Deposits come first, because the unused part of a deposit is withdrawn again. */
const positionLegs = (taxable: TaxableTransaction): ReadonlyArray<TaxLeg> => {
  const { passThrough, rest } = netMovements(taxable.movements.filter(isPrincipal).map(fullPartOf))
  const legs = rest.map((part) => legOf(part, "LIQUIDITY", holdingOf(taxable, part.movement)))
  return [...passThrough, ...legs.filter(isOut), ...legs.filter((leg) => !isOut(leg))]
}

const entriesOf = (legs: ReadonlyArray<TaxLeg>) => (legs.length === 0 ? [] : [{ legs }])

/** Treats deposits into a position, and withdrawals of unused amounts, at cost: they are not disposals. */
export const depositTreatment: TaxTreatment = (taxable) => withFees(entriesOf(positionLegs(taxable)), taxable.movements)

/** Splits a withdrawal leg into principal and fees. The fees are income. */
const withIncome = (leg: TaxLeg, earnedE18: bigint): ReadonlyArray<TaxLeg> => {
  if (leg.kind !== "LIQUIDITY" || isOut(leg)) return [leg]
  const earnedUnits = shareRoundingDown(leg.amount, { numerator: earnedE18, denominator: ONE_E18 })
  return [
    { ...leg, amount: leg.amount - earnedUnits },
    { ...leg, amount: earnedUnits, kind: "INCOME" as const, holding: null }
  ].filter(({ amount }) => amount > 0n)
}

/** Treats the withdrawal of a share of a position, with its fees. */
export const withdrawalTreatment: TaxTreatment = (taxable) => {
  const withdrawnDetails = positionDetails.in(taxable.transaction)?.withdrawn
  const legs = positionLegs(taxable).flatMap((leg) => withIncome(leg, withdrawnDetails?.earnedE18 ?? 0n))
  const withdrawnShare = { numerator: withdrawnDetails?.shareE18 ?? ONE_E18, denominator: ONE_E18 }
  return withFees(
    entriesOf(legs).map((entry) => ({ ...entry, withdrawnShare })),
    taxable.movements
  )
}
