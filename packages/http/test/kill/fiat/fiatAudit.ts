import { auditSequences, type WebhookEvent } from "../audit.ts"
import type { LedgerEntry } from "./BankDesk.ts"
import type { FiatJournal } from "./FiatJournal.ts"

/** An order as the API returns it. */
export interface OrderRecord {
  readonly id: string
  readonly direction: "DEPOSIT" | "WITHDRAWAL"
  readonly status: string
  readonly walletAddress: string
  readonly from: { readonly currency: string; readonly amount: string }
  readonly to: { readonly currency: string; readonly amount: string }
}

/** A transaction of an order in the history. */
export interface FiatTransaction {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly fiat?: { readonly orderId: string } | null
  readonly transactionHash?: { readonly hash: string | null } | null
  readonly sentAmount?: { readonly amount: string } | null
  readonly receivedAmount?: { readonly amount: string } | null
}

export interface FiatRecords {
  readonly orders: ReadonlyArray<OrderRecord>
  readonly transactions: ReadonlyArray<FiatTransaction>
  readonly ledger: ReadonlyArray<LedgerEntry>
  /**
   * Stablecoin cents that the bank sent to each wallet, from the chain's logs. `takenUnits` are those that it received.
   */
  readonly givenUnits: ReadonlyMap<string, bigint>
  readonly takenUnits: ReadonlyMap<string, bigint>
}

/** Converts a decimal to cents. Throws if it has more than two decimals. */
export const centsOf = (decimal: string): bigint => {
  const [wholePart = "0", fraction = ""] = decimal.split(".")
  if (fraction.length > 2) throw new Error(`${decimal} has more digits than cents`)
  return BigInt(wholePart + fraction.padEnd(2, "0"))
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, one) => total + one, 0n)

/**
 * Returns the net amounts that the ledger must contain for an order, by currency code, in cents. Null if an order must
 * not remain in this status.
 */
const expectedBalancesOf = ({ from, status, to }: OrderRecord): Readonly<Record<string, bigint>> | null => {
  const [debitedCents, creditedCents] = [centsOf(from.amount), centsOf(to.amount)]
  switch (status) {
    case "COMPLETED":
      return { [from.currency]: debitedCents, [to.currency]: -creditedCents }
    case "REFUNDED":
    case "RETURNED":
    case "FAILED":
    case "EXPIRED":
      return {}
    // The order was not paid, or not signed.
    case "AWAITING_FUNDS":
      return {}
    default:
      return null
  }
}

const auditOrder = (order: OrderRecord, entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<string> => {
  const expectedBalances = expectedBalancesOf(order)
  const orderName = `${order.direction} ${order.id}`
  if (expectedBalances === null) return [`${orderName} is still ${order.status}`]
  const codes = new Set([...entries.map(({ code }) => code), ...Object.keys(expectedBalances)])
  return [...codes].flatMap((code) => {
    const netCents = sumOf(entries.filter((entry) => entry.code === code).map(({ cents }) => BigInt(cents)))
    const expectedCents = expectedBalances[code] ?? 0n
    return netCents === expectedCents
      ? []
      : [`${orderName} is ${order.status}: the bank has ${netCents} cents of ${code} and not ${expectedCents}`]
  })
}

const transactionStatuses: Readonly<Record<string, string>> = {
  COMPLETED: "COMPLETED",
  REFUNDED: "REFUNDED",
  RETURNED: "REFUNDED",
  FAILED: "FAILED",
  EXPIRED: "EXPIRED"
}

const amountsOf = ({ receivedAmount, sentAmount }: FiatTransaction) =>
  [sentAmount, receivedAmount].map((amount) => (amount == null ? null : amount.amount)).join(" for ")

/** Returns the sent and received amounts that the history must contain. Null if the amounts are not compared. */
const expectedAmountsOf = (order: OrderRecord, entries: ReadonlyArray<LedgerEntry>): string | null => {
  if (order.status === "COMPLETED") return `${order.from.amount} for ${order.to.amount}`
  if (order.status === "RETURNED") return `${order.from.amount} for ${order.from.amount}`
  if (order.status !== "REFUNDED") return null
  const paidEntry = entries.find(({ cents }) => BigInt(cents) > 0n)
  if (paidEntry === undefined) return null
  const text = `${BigInt(paidEntry.cents) / 100n}.${String(BigInt(paidEntry.cents) % 100n).padStart(2, "0")}`.replace(
    /\.?0+$/u,
    ""
  )
  return `${text} for ${text}`
}

const auditHistory = (
  order: OrderRecord,
  entries: ReadonlyArray<LedgerEntry>,
  transactions: ReadonlyArray<FiatTransaction>
): ReadonlyArray<string> => {
  const orderName = `${order.direction} ${order.id}`
  const [transaction, ...otherTransactions] = transactions.filter(({ fiat }) => fiat?.orderId === order.id)
  if (otherTransactions.length > 0) return [`${orderName} has ${otherTransactions.length + 1} transactions`]
  const isUnsigned = order.direction === "WITHDRAWAL" && ["AWAITING_FUNDS", "EXPIRED", "FAILED"].includes(order.status)
  if (transaction === undefined) return isUnsigned ? [] : [`${orderName} is ${order.status} and in no history`]
  const expectedStatus = transactionStatuses[order.status] ?? "PROCESSING"
  const expectedAmounts = expectedAmountsOf(order, entries)
  return [
    ...(transaction.status === expectedStatus
      ? []
      : [`${orderName} is ${order.status}, in the history ${transaction.status}`]),
    ...(expectedAmounts === null || amountsOf(transaction) === expectedAmounts
      ? []
      : [`${orderName} is ${expectedAmounts}, in the history ${amountsOf(transaction)}`])
  ]
}

/** Returns the amounts between the bank and the wallets that the orders state, in stablecoin cents. */
const movedCentsOf = (orders: ReadonlyArray<OrderRecord>) => ({
  given: sumOf(
    orders.flatMap(({ direction, from, status, to }) => {
      if (direction === "DEPOSIT") return status === "COMPLETED" ? [centsOf(to.amount)] : []
      return status === "RETURNED" ? [centsOf(from.amount)] : []
    })
  ),
  taken: sumOf(
    orders.flatMap(({ direction, from, status }) =>
      direction === "WITHDRAWAL" && (status === "COMPLETED" || status === "RETURNED") ? [centsOf(from.amount)] : []
    )
  )
})

const auditChain = (
  { givenUnits, orders, takenUnits }: FiatRecords,
  wallets: Iterable<string>
): ReadonlyArray<string> =>
  [...wallets].flatMap((wallet) => {
    const movedCents = movedCentsOf(orders.filter(({ walletAddress }) => walletAddress === wallet))
    return (
      [
        ["given to", movedCents.given, givenUnits.get(wallet) ?? 0n],
        ["taken from", movedCents.taken, takenUnits.get(wallet) ?? 0n]
      ] as const
    ).flatMap(([relation, orderCents, chainCents]) =>
      orderCents === chainCents
        ? []
        : [`orders have ${orderCents} cents ${relation} ${wallet}, the chain has ${chainCents}`]
    )
  })

const auditEvents = (orders: ReadonlyArray<OrderRecord>, events: ReadonlyArray<WebhookEvent>): ReadonlyArray<string> =>
  orders.flatMap(({ direction, id, status }) => {
    const orderEvents = events.filter(({ resource }) => resource === id).sort((a, b) => a.sequence - b.sequence)
    const suffix = status === "AWAITING_FUNDS" ? "created" : status.toLowerCase()
    const lastType = orderEvents.at(-1)?.type
    return lastType === `ramp.${direction.toLowerCase()}.${suffix}`
      ? []
      : [`order ${id} is ${status}, reported as ${lastType}`]
  })

/** Checks that each detected transfer of a deposit belongs to its order, and is not recorded again. */
const auditDetectedTransfers = (transactions: ReadonlyArray<FiatTransaction>): ReadonlyArray<string> => {
  const hashOf = ({ transactionHash }: FiatTransaction) => transactionHash?.hash ?? null
  const orderHashes = new Set(transactions.filter(({ fiat }) => fiat != null).map(hashOf))
  return transactions
    .filter((one) => /^CRYPTO_/u.test(one.type) && one.status === "COMPLETED" && hashOf(one) !== null)
    .filter((one) => orderHashes.has(hashOf(one)))
    .map(({ id, type }) => `${type} ${id} is what an order did`)
}

/**
 * Returns differences of a cent or more between the bank's ledger, the orders, the history and the chain. Empty if
 * there are none.
 */
export const auditFiat = (
  journal: FiatJournal,
  records: FiatRecords,
  events: ReadonlyArray<WebhookEvent>
): ReadonlyArray<string> => {
  const { ledger, orders, transactions } = records
  const orderIds = new Set(orders.map(({ id }) => id))
  const entriesOf = Map.groupBy(ledger, ({ key }) => key ?? "")
  return [
    ...journal.surprises,
    ...[...journal.orders.keys()].filter((id) => !orderIds.has(id)).map((id) => `order ${id} is lost`),
    ...[...entriesOf.keys()]
      .filter((id) => !orderIds.has(id))
      .map((id) => `the bank moved money for ${id}, which is no order`),
    ...orders.flatMap((order) => auditOrder(order, entriesOf.get(order.id) ?? [])),
    ...orders.flatMap((order) => auditHistory(order, entriesOf.get(order.id) ?? [], transactions)),
    ...auditChain(records, journal.wallets),
    ...auditDetectedTransfers(transactions),
    ...auditEvents(orders, events),
    ...auditSequences(events)
  ]
}

/** Returns the amounts that the bank received and paid, by currency code, in cents. */
export const totalsOf = (
  ledger: ReadonlyArray<LedgerEntry>
): ReadonlyMap<string, { readonly got: bigint; readonly given: bigint }> =>
  new Map(
    [...Map.groupBy(ledger, ({ code }) => code)].map(([code, entries]) => {
      const amounts = entries.map(({ cents }) => BigInt(cents))
      return [code, { got: sumOf(amounts.filter((one) => one > 0n)), given: -sumOf(amounts.filter((one) => one < 0n)) }]
    })
  )
