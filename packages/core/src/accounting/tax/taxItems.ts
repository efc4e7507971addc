import { mulDivRoundingDown, type Ratio } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import type { RecordedMovement, Transaction } from "../history/index.ts"
import type { TaxEntry, TaxKind } from "../tax-treatment/index.ts"
import { withInterest } from "./interest.ts"
import type { TaxAsset } from "./TaxAsset.ts"
import { treatmentOf } from "./treatmentOf.ts"
import type { TaxValue, TaxValues } from "./values.ts"

export interface ValuedMovement {
  readonly recorded: RecordedMovement
  readonly asset: TaxAsset
  readonly values: TaxValues
}

/** A leg of an entry, and its movement. */
export interface TaxItem extends ValuedMovement {
  readonly kind: TaxKind
  readonly amount: bigint
  readonly holding: string | null
  /** The index of the movement in the account's movements. */
  readonly place: number
}

export interface TaxItemEntry {
  /** A stable id: the same history results in the same id. */
  readonly id: string
  readonly items: ReadonlyArray<TaxItem>
  readonly withdrawnShare: Ratio | null
}

/** The `source` of a token's value if the token was exchanged for fiat. */
const PAID = "paid"

const partialValueOf = (value: TaxValue | null, amount: bigint, from: bigint, to: bigint): TaxValue | null => {
  if (value === null) return null
  const valueOfUnits = (units: bigint) => mulDivRoundingDown(value.amountE6, units, amount)
  return { ...value, amountE6: valueOfUnits(to) - valueOfUnits(from) }
}

const isCurrency = ({ recorded }: TaxItem): boolean => !isToken(recorded.movement.asset)

const isExchanged = ({ kind }: TaxItem): boolean => kind === "DISPOSAL" || kind === "ACQUISITION"

/**
 * If one token is exchanged for one fiat amount, values the token by this amount. Otherwise changes nothing. If the
 * value of the fiat amount in a currency is unknown, the token keeps its own value in this currency.
 */
const valueTokenByCurrency = (items: ReadonlyArray<TaxItem>): ReadonlyArray<TaxItem> => {
  const exchangedItems = items.filter(isExchanged)
  const [currencyItem, ...otherCurrencies] = exchangedItems.filter(isCurrency)
  const [token, ...otherTokens] = exchangedItems.filter((item) => !isCurrency(item))
  if (currencyItem === undefined || token === undefined || otherCurrencies.length + otherTokens.length > 0) return items
  const valueIn = (currency: "usd" | "brl") => {
    const value = currencyItem.values[currency]
    return value === null ? token.values[currency] : { ...value, source: PAID }
  }
  return items.map((item) =>
    item === token ? { ...item, values: { usd: valueIn("usd"), brl: valueIn("brl") } } : item
  )
}

/** Returns the tax items of an account's movements, which must be sorted by time. */
export const taxItemsOf = (
  movements: ReadonlyArray<ValuedMovement>,
  transactionOf: (id: string) => Pick<Transaction, "details"> | undefined,
  isOwn: (address: string | null) => boolean
): ReadonlyArray<TaxItemEntry> => {
  const indices = new Map(movements.map(({ recorded: { movement } }, index) => [movement, index]))
  const numberedEntries = [...Map.groupBy(movements, ({ recorded }) => recorded.transactionId)].flatMap(
    ([id, group]) => {
      const { type } = group[0]!.recorded
      const transaction = { id, type, details: transactionOf(id)?.details ?? {} }
      const transactionMovements = group.map(({ recorded }) => recorded.movement)
      return treatmentOf[type]({ transaction, movements: transactionMovements, isOwn }).map((entry, number) => ({
        id: `${id} ${number}`,
        entry
      }))
    }
  )
  const entries = withInterest(numberedEntries.map(({ entry }) => entry))
  /** The amount of each movement that earlier legs have used, in base units. */
  const usedUnits = new Map<number, bigint>()
  const itemsOf = ({ legs }: TaxEntry): ReadonlyArray<TaxItem> =>
    legs.map(({ amount, holding, kind, movement }) => {
      const index = indices.get(movement)!
      const valuedMovement = movements[index]!
      const usedBefore = usedUnits.get(index) ?? 0n
      usedUnits.set(index, usedBefore + amount)
      const valueOf = (value: TaxValue | null) =>
        partialValueOf(value, movement.amount, usedBefore, usedBefore + amount)
      return {
        ...valuedMovement,
        values: { usd: valueOf(valuedMovement.values.usd), brl: valueOf(valuedMovement.values.brl) },
        kind,
        amount,
        holding,
        place: index
      }
    })
  return entries.map((entry, number) => ({
    id: numberedEntries[number]!.id,
    items: valueTokenByCurrency(itemsOf(entry)),
    withdrawnShare: entry.withdrawnShare ?? null
  }))
}
