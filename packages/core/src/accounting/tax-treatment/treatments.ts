import { type Asset, isToken } from "../../foundation/tokens/index.ts"
import type { Movement } from "../history/index.ts"
import { type MovementPart, netMovements } from "./netMovements.ts"
import type { TaxEntry, TaxKind, TaxLeg, TaxTreatment } from "./TaxEntry.ts"

export const fullPartOf = (movement: Movement): MovementPart => ({ movement, amount: movement.amount })

export const isPrincipal = ({ role }: Movement): boolean => role === "PRINCIPAL"

export const legOf = (part: MovementPart, kind: TaxKind, holding: string | null = null): TaxLeg => ({
  ...part,
  kind,
  holding
})

/**
 * Returns the key of a loan or position: the kind, the chain of the asset, and the names that identify the loan or
 * position in all of its transactions.
 */
export const holdingKey = (kind: TaxKind | "POSITION", asset: Asset, ...names: ReadonlyArray<string>): string =>
  [kind, isToken(asset) ? asset.chainId : "", ...names].join(" ")

/** Returns the legs for the fees and the gas of a transaction. */
const feeLegs = (movements: ReadonlyArray<Movement>): ReadonlyArray<TaxLeg> =>
  movements.filter((movement) => !isPrincipal(movement)).map((movement) => legOf(fullPartOf(movement), "FEE"))

const isExchange = ({ legs }: TaxEntry): boolean => legs.some(({ kind }) => kind === "DISPOSAL")

/**
 * Adds the transaction's fees and gas as costs to the first exchange. If there is no exchange, to the first entry. If
 * there is no entry either, they form an entry of their own.
 */
export const withFees = (
  entries: ReadonlyArray<TaxEntry>,
  movements: ReadonlyArray<Movement>
): ReadonlyArray<TaxEntry> => {
  const fees = feeLegs(movements)
  if (fees.length === 0) return entries
  if (entries.length === 0) return [{ legs: fees }]
  const index = Math.max(0, entries.findIndex(isExchange))
  return entries.map((entry, i) => (i === index ? { ...entry, legs: [...entry.legs, ...fees] } : entry))
}

/**
 * Treats the outgoing assets as exchanged for the incoming assets. If nothing goes out, treats the incoming assets as
 * external transfers.
 */
export const treatAsExchange: TaxTreatment = ({ movements }) => {
  const { passThrough, rest } = netMovements(movements.filter(isPrincipal).map(fullPartOf))
  const isExchanged = rest.some(({ movement }) => movement.direction === "OUT")
  const legs = rest.map((part) =>
    legOf(part, part.movement.direction === "OUT" ? "DISPOSAL" : isExchanged ? "ACQUISITION" : "EXTERNAL_TRANSFER")
  )
  return withFees(legs.length + passThrough.length === 0 ? [] : [{ legs: [...passThrough, ...legs] }], movements)
}

/** Treats a movement part as a transfer, to or from another wallet of the owner or another party. */
export const transferOf = (part: MovementPart, isOwn: (address: string | null) => boolean): TaxEntry => ({
  legs: [legOf(part, isOwn(part.movement.counterparty) ? "OWN_TRANSFER" : "EXTERNAL_TRANSFER")]
})

/** Treats each principal movement as a separate transfer. */
export const treatAsTransfers: TaxTreatment = ({ isOwn, movements }) =>
  withFees(
    movements.filter(isPrincipal).map((movement) => transferOf(fullPartOf(movement), isOwn)),
    movements
  )
