import { DateTime, Effect, Option } from "effect"
import { HistoryStore, movementsOf, type RecordedMovement } from "../history/index.ts"
import { sumOrNull } from "../portfolio/index.ts"
import type { WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { type LotBook, type LotChange, lotsOf } from "./lots.ts"
import type { Period } from "./Period.ts"
import { keyOfAsset, type TaxAsset, taxAssetOf } from "./TaxAsset.ts"
import type { InCurrencies, TaxBalance, TaxCurrency, TaxDataSet, TaxRow } from "./TaxDataSet.ts"
import { type TaxValues, valuesOf } from "./values.ts"

/** A movement with all that is known of it. */
interface Entry {
  readonly recorded: RecordedMovement
  readonly asset: TaxAsset
  readonly values: TaxValues
}

const changeIn =
  (currency: TaxCurrency) =>
  ({ recorded: { at, movement }, values }: Entry): LotChange => ({
    direction: movement.direction,
    amount: movement.amount,
    valueE6: values[currency]?.amountE6 ?? null,
    atMs: DateTime.toEpochMillis(at)
  })

const inCurrencies = <A>(of: (currency: TaxCurrency) => A): InCurrencies<A> => ({ usd: of("usd"), brl: of("brl") })

const net = (entries: ReadonlyArray<Entry>, isOne: (entry: Entry) => boolean): bigint =>
  entries.filter(isOne).reduce((sum, { recorded }) => sum + recorded.movement.amount, 0n)

const LOOK_UPS_AT_ONCE = 8

/** The hash of each movement's leg, by transaction. */
const hashesOf = Effect.fnUntraced(function* (projectId: ProjectId, movements: ReadonlyArray<RecordedMovement>) {
  const store = yield* HistoryStore
  const ids = [...new Set(movements.map(({ transactionId }) => transactionId))]
  const found = yield* Effect.forEach(ids, (id) => store.find(projectId, id), { concurrency: LOOK_UPS_AT_ONCE })
  const legs = new Map(found.flatMap(Option.toArray).map((transaction) => [transaction.id, transaction.legs]))
  return ({ movement, transactionId }: RecordedMovement): string | null =>
    movement.leg === null ? null : (legs.get(transactionId)?.[movement.leg]?.hash ?? null)
})

/** One asset's rows and balance, from all of its movements until the end of the period. */
const ofAsset = (
  entries: ReadonlyArray<Entry>,
  period: Period,
  hashOf: (movement: RecordedMovement) => string | null
) => {
  const books: InCurrencies<LotBook> = inCurrencies((currency) => lotsOf(entries.map(changeIn(currency))))
  const isDuring = ({ recorded }: Entry) => DateTime.isGreaterThanOrEqualTo(recorded.at, period.from)
  const rows = [...entries.entries()].flatMap(
    ([place, entry]): ReadonlyArray<TaxRow & { readonly position: number }> => {
      if (!isDuring(entry)) return []
      const { asset, recorded, values } = entry
      const [usd, brl] = [books.usd.disposals[place] ?? null, books.brl.disposals[place] ?? null]
      const { amount, counterparty, direction, role } = recorded.movement
      return [
        {
          transactionId: recorded.transactionId,
          position: recorded.position,
          type: recorded.type,
          at: recorded.at,
          transactionHash: hashOf(recorded),
          asset,
          direction,
          role,
          amount,
          counterparty,
          values,
          disposals: usd === null || brl === null ? null : { usd, brl }
        }
      ]
    }
  )
  const before = entries.filter((entry) => !isDuring(entry))
  const during = entries.filter(isDuring)
  const isIn = ({ recorded }: Entry) => recorded.movement.direction === "IN"
  const isOut = (entry: Entry, role: TaxRow["role"]) => !isIn(entry) && entry.recorded.movement.role === role
  const opening = net(before, isIn) - net(before, (entry) => !isIn(entry))
  const received = net(during, isIn)
  const [sent, fees, gas] = [
    net(during, (entry) => isOut(entry, "PRINCIPAL")),
    net(during, (entry) => isOut(entry, "FEE")),
    net(during, (entry) => isOut(entry, "GAS"))
  ]
  const balance: TaxBalance = {
    asset: entries[0]!.asset,
    opening,
    received,
    sent,
    fees,
    gas,
    closing: opening + received - sent - fees - gas,
    lots: inCurrencies((currency) => books[currency].lots),
    gainsE6: inCurrencies((currency) =>
      sumOrNull(rows.flatMap(({ disposals }) => (disposals === null ? [] : [disposals[currency].gainE6])))
    )
  }
  return { rows, balance }
}

const compare = <A>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The data set of a wallet's month, from its movements alone: those before it give what was held and what that had cost.
 * The same whenever it is made, while the history and past prices stay as they are.
 */
export const dataSetOf = Effect.fn("dataSetOf")(function* (
  projectId: ProjectId,
  walletAddress: WalletAddress,
  period: Period
) {
  const movements = yield* movementsOf(projectId, walletAddress, period.to)
  const assets = new Map<string, TaxAsset>()
  for (const { movement } of movements) {
    const key = keyOfAsset(movement.asset)
    if (!assets.has(key)) assets.set(key, yield* taxAssetOf(movement.asset))
  }
  const assetOf = ({ movement }: RecordedMovement) => assets.get(keyOfAsset(movement.asset))!
  const values = yield* valuesOf(movements, assetOf)
  const hashOf = yield* hashesOf(
    projectId,
    movements.filter(({ at }) => DateTime.isGreaterThanOrEqualTo(at, period.from))
  )
  const entries = movements.map(
    (recorded, place): Entry => ({ recorded, asset: assetOf(recorded), values: values[place]! })
  )
  const perAsset = [...Map.groupBy(entries, ({ asset }) => asset.key).values()].map((group) =>
    ofAsset(group, period, hashOf)
  )
  const dataSet: TaxDataSet = {
    walletAddress,
    period,
    rows: perAsset
      .flatMap(({ rows }) => rows)
      .sort(
        (a, b) =>
          DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at) ||
          compare(a.transactionId, b.transactionId) ||
          a.position - b.position
      ),
    balances: perAsset
      .map(({ balance }) => balance)
      .filter(({ closing, gas, fees, opening, received, sent }) =>
        [opening, received, sent, fees, gas, closing].some((amount) => amount !== 0n)
      )
      .sort(
        ({ asset: a }, { asset: b }) =>
          (a.chainId ?? 0) - (b.chainId ?? 0) || compare(a.symbol, b.symbol) || compare(a.key, b.key)
      )
  }
  return dataSet
})
