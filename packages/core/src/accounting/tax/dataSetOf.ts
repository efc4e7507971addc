import { DateTime, Effect, Option, Order, Schema } from "effect"
import { WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { signerOf, WalletStore } from "../../wallets/registry/index.ts"
import { HistoryStore, movementsOf, type RecordedMovement, type Transaction } from "../history/index.ts"
import { sumOrNull } from "../portfolio/index.ts"
import { type LotBook, type LotChange, type LotEntry, lotsOf } from "./lots.ts"
import type { Period } from "./Period.ts"
import { assetKey, type TaxAsset, type TaxToken, taxAssetOf } from "./TaxAsset.ts"
import type { ByTaxCurrency, TaxBalance, TaxCurrency, TaxDataSet, TaxRow } from "./TaxDataSet.ts"
import { type TaxItem, type TaxItemEntry, taxItemsOf } from "./taxItems.ts"
import { valuesOf } from "./values.ts"

const mapCurrencies = <A>(valueOf: (currency: TaxCurrency) => A): ByTaxCurrency<A> => ({
  usd: valueOf("usd"),
  brl: valueOf("brl")
})

const MAX_CONCURRENT_LOOKUPS = 8

const isAddress = Schema.is(WalletAddress)

/** Returns a function that reports whether an address is another wallet of the same owner in the project. */
const ownWalletPredicate = Effect.fnUntraced(function* (
  projectId: ProjectId,
  walletAddress: WalletAddress,
  movements: ReadonlyArray<RecordedMovement>
) {
  const store = yield* WalletStore
  const findSigner = (address: WalletAddress) =>
    Effect.map(store.find(projectId, address), (wallet) => Option.getOrNull(Option.map(wallet, signerOf)))
  const ownSigner = yield* findSigner(walletAddress)
  const counterparties = new Set(
    movements.flatMap(({ movement: { counterparty, role } }) =>
      role === "PRINCIPAL" && counterparty !== null && isAddress(counterparty) ? [counterparty] : []
    )
  )
  const signers = yield* Effect.forEach(
    counterparties,
    (address) => Effect.map(findSigner(address), (walletSigner) => [address, walletSigner] as const),
    { concurrency: MAX_CONCURRENT_LOOKUPS }
  )
  const sameSignerWallets: ReadonlySet<string> = new Set(
    signers.flatMap(([address, walletSigner]) => (ownSigner !== null && walletSigner === ownSigner ? [address] : []))
  )
  return (address: string | null): boolean =>
    address !== null && address !== walletAddress && sameSignerWallets.has(address)
})

/** Reads the transactions of movements, by id. */
const transactionsOf = Effect.fnUntraced(function* (projectId: ProjectId, movements: ReadonlyArray<RecordedMovement>) {
  const store = yield* HistoryStore
  const transactions = yield* store.findAll(projectId, new Set(movements.map(({ transactionId }) => transactionId)))
  return new Map(transactions.map((transaction) => [transaction.id, transaction]))
})

/** The tax entries of an account before an instant, and their transactions. */
interface AccountHistory {
  readonly transactions: ReadonlyMap<string, Transaction>
  readonly entries: ReadonlyArray<TaxItemEntry>
}

const historyOf = Effect.fnUntraced(function* (projectId: ProjectId, account: WalletAddress, before: DateTime.Utc) {
  const movements = yield* movementsOf(projectId, account, before)
  const assets = new Map<string, TaxAsset>()
  for (const { movement } of movements) {
    const key = assetKey(movement.asset)
    if (!assets.has(key)) assets.set(key, yield* taxAssetOf(movement.asset))
  }
  const assetOf = ({ movement }: RecordedMovement) => assets.get(assetKey(movement.asset))!
  const values = yield* valuesOf(movements, assetOf)
  const transactions = yield* transactionsOf(projectId, movements)
  const isOwn = yield* ownWalletPredicate(projectId, account, movements)
  const valuedMovements = movements.map((recorded, index) => ({
    recorded,
    asset: assetOf(recorded),
    values: values[index]!
  }))
  const history: AccountHistory = {
    transactions,
    entries: taxItemsOf(valuedMovements, (id) => transactions.get(id), isOwn)
  }
  return history
})

const hashOf = ({ recorded: { movement, transactionId } }: TaxItem, { transactions }: AccountHistory): string | null =>
  movement.leg === null ? null : (transactions.get(transactionId)?.legs[movement.leg]?.hash ?? null)

/** An item of a token. Fiat currencies have no lots, because the bank holds them and not the wallet. */
type TokenItem = TaxItem & { readonly asset: TaxToken }

const isTokenItem = (item: TaxItem): item is TokenItem => item.asset.chainId !== null

const isOwnTransfer = ({ kind }: TaxItem): boolean => kind === "OWN_TRANSFER"

/** Reads the histories of the wallet and, recursively, of the owner's other wallets that transferred tokens to it. */
const historiesOf = Effect.fnUntraced(function* (
  projectId: ProjectId,
  walletAddress: WalletAddress,
  before: DateTime.Utc
) {
  const histories = new Map<WalletAddress, AccountHistory>()
  const walletAddresses = [walletAddress]
  for (let account = walletAddresses.pop(); account !== undefined; account = walletAddresses.pop()) {
    const history = yield* historyOf(projectId, account, before)
    histories.set(account, history)
    for (const item of history.entries.flatMap(({ items }) => items)) {
      const { counterparty, direction } = item.recorded.movement
      if (!isOwnTransfer(item) || direction === "OUT" || counterparty === null || !isAddress(counterparty)) continue
      if (!histories.has(counterparty) && !walletAddresses.includes(counterparty)) walletAddresses.push(counterparty)
    }
  }
  return histories
})

/** Identifies a transfer between the owner's wallets. The key is the same for both sides. Null for other items. */
const transferOf = (item: TaxItem, history: AccountHistory): LotChange["transfer"] => {
  const { account, counterparty, direction } = item.recorded.movement
  if (!isOwnTransfer(item) || counterparty === null) return null
  const [from, to] = direction === "OUT" ? [account, counterparty] : [counterparty, account]
  return { counterparty, key: [from, to, item.asset.key, hashOf(item, history)].join(" ") }
}

/** Computes the lots of a wallet and the disposals of its items, in one currency. */
const lotBookIn = (
  currency: TaxCurrency,
  walletAddress: WalletAddress,
  histories: ReadonlyMap<WalletAddress, AccountHistory>
) => {
  const changes = new Map<TaxItem, LotChange>()
  const changeOf = (item: TaxItem, history: AccountHistory): LotChange => {
    const { amount, asset, holding, kind, recorded, values } = item
    const change: LotChange = {
      direction: recorded.movement.direction,
      kind,
      asset: asset.key,
      amount,
      valueE6: values[currency]?.amountE6 ?? null,
      atMs: DateTime.toEpochMillis(recorded.at),
      holding,
      transfer: transferOf(item, history)
    }
    changes.set(item, change)
    return change
  }
  const entries = new Map(
    [...histories].map(([account, history]) => [
      account,
      history.entries.map(
        ({ items, withdrawnShare }): LotEntry => ({
          changes: items.filter(isTokenItem).map((item) => changeOf(item, history)),
          withdrawnShare
        })
      )
    ])
  )
  const book: LotBook = lotsOf(entries, walletAddress)
  return {
    lots: ({ key }: TaxAsset) => book.lots.get(key) ?? [],
    disposal: (item: TaxItem) => {
      const change = changes.get(item)
      return change === undefined ? null : (book.disposals.get(change) ?? null)
    }
  }
}

type Book = ReturnType<typeof lotBookIn>

const rowOf = (entry: string, item: TaxItem, history: AccountHistory, books: ByTaxCurrency<Book>): TaxRow => {
  const { amount, asset, kind, recorded, values } = item
  const { counterparty, direction, role } = recorded.movement
  const [usd, brl] = [books.usd.disposal(item), books.brl.disposal(item)]
  return {
    transactionId: recorded.transactionId,
    entry,
    kind,
    type: recorded.type,
    at: recorded.at,
    transactionHash: hashOf(item, history),
    asset,
    direction,
    role,
    amount,
    counterparty,
    values,
    disposals: usd === null || brl === null ? null : { usd, brl }
  }
}

/**
 * Returns whether the item changes the wallet's own balance. A liquidator takes assets from the lending market, not
 * from the wallet.
 */
const isInWallet = ({ holding, kind }: TaxItem): boolean => kind !== "DISPOSAL" || holding === null

/** Computes the balance of one token over the period. */
const balanceOf = (
  items: ReadonlyArray<TokenItem>,
  isInPeriod: (item: TaxItem) => boolean,
  books: ByTaxCurrency<Book>
): TaxBalance => {
  const { asset } = items[0]!
  const sumOf = (isIncluded: (item: TaxItem) => boolean): bigint =>
    items.filter((item) => isInWallet(item) && isIncluded(item)).reduce((sum, { amount }) => sum + amount, 0n)
  const isIn = ({ recorded }: TaxItem) => recorded.movement.direction === "IN"
  const isOut = (item: TaxItem, role: TaxRow["role"]) =>
    isInPeriod(item) && !isIn(item) && item.recorded.movement.role === role
  const opening = sumOf((item) => !isInPeriod(item) && isIn(item)) - sumOf((item) => !isInPeriod(item) && !isIn(item))
  const receivedUnits = sumOf((item) => isInPeriod(item) && isIn(item))
  const [sent, fees, gas] = (["PRINCIPAL", "FEE", "GAS"] as const).map((role) => sumOf((item) => isOut(item, role)))
  return {
    asset,
    opening,
    received: receivedUnits,
    sent: sent!,
    fees: fees!,
    gas: gas!,
    closing: opening + receivedUnits - sent! - fees! - gas!,
    lots: mapCurrencies((currency) => books[currency].lots(asset)),
    gainsE6: mapCurrencies((currency) =>
      sumOrNull(
        items.filter(isInPeriod).flatMap((item) => {
          const disposal = books[currency].disposal(item)
          return disposal === null ? [] : [disposal.gainE6]
        })
      )
    )
  }
}

const byChainAndSymbol = Order.combineAll<TaxBalance>([
  Order.mapInput(Order.Number, ({ asset }) => asset.chainId),
  Order.mapInput(Order.String, ({ asset }) => asset.symbol),
  Order.mapInput(Order.String, ({ asset }) => asset.key)
])

/**
 * Computes the data set of a wallet's month from its movements. Earlier movements determine the opening balances and
 * their costs.
 */
export const dataSetOf = Effect.fn("dataSetOf")(function* (
  projectId: ProjectId,
  walletAddress: WalletAddress,
  period: Period
) {
  const histories = yield* historiesOf(projectId, walletAddress, period.to)
  const history = histories.get(walletAddress)!
  const books: ByTaxCurrency<Book> = mapCurrencies((currency) => lotBookIn(currency, walletAddress, histories))
  const isInPeriod = ({ recorded }: TaxItem) => DateTime.isGreaterThanOrEqualTo(recorded.at, period.from)
  const entryItems = history.entries.flatMap(({ id, items }) => items.map((item) => ({ id, item })))
  const tokenItems = entryItems.map(({ item }) => item).filter(isTokenItem)
  const dataSet: TaxDataSet = {
    walletAddress,
    period,
    rows: entryItems
      .filter(({ item }) => isInPeriod(item))
      .sort((a, b) => a.item.place - b.item.place)
      .map(({ id, item }) => rowOf(id, item, history, books)),
    balances: [...Map.groupBy(tokenItems, ({ asset }) => asset.key).values()]
      .map((items) => balanceOf(items, isInPeriod, books))
      .filter(({ closing, gas, fees, opening, received, sent }) =>
        [opening, received, sent, fees, gas, closing].some((amount) => amount !== 0n)
      )
      .sort(byChainAndSymbol)
  }
  return dataSet
})
