import type { Journal } from "./Journal.ts"
import type { OperationType } from "./operations.ts"
import type { Records, TransactionRecord } from "./Records.ts"

export interface ChainState {
  /** Number of blocks that contain the operation, by operation hash. More than one means that it was executed twice. */
  readonly times: ReadonlyMap<string, number>
  /** Whether the chain has no reorgs, and its nodes drop no transactions. */
  readonly isSteady: boolean
  /** Base units of USDC that each recipient received, by address. */
  readonly received: ReadonlyMap<string, bigint>
}

/** An event that the clients' webhook received at least once. */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly sequence: number
}

const TERMINAL_STATUSES = new Set(["COMPLETED", "FAILED"])

/**
 * Returns contradictions to the responses that clients got. Empty if no data was lost and no operation was executed
 * twice.
 */
export const audit = (
  journal: Journal,
  records: Records,
  chain: ChainState,
  events: ReadonlyArray<WebhookEvent>
): ReadonlyArray<string> => [
  ...journal.surprises,
  ...findMissing("registration", journal.registrations, records.wallets),
  ...findMissing("quote", new Set(journal.quotes.keys()), records.operations),
  ...auditOperations(journal, records.transactions, chain),
  ...auditDetectedTransfers(records.transactions),
  ...auditSequences(events),
  ...auditEvents(journal, records.transactions, events, chain)
]

const findMissing = (
  subject: string,
  promisedIds: ReadonlySet<string>,
  storedIds: ReadonlySet<string>
): ReadonlyArray<string> =>
  [...promisedIds].filter((one) => !storedIds.has(one)).map((one) => `the ${subject} of ${one} is lost`)

/** Returns whether the transaction is a detected transfer that belongs to no operation of the service. */
const isDetectedTransfer = ({ type }: TransactionRecord): boolean =>
  type === "CRYPTO_DEPOSIT" || type === "CRYPTO_WITHDRAW"

/** Checks that no transfer of an operation is also recorded as a completed detected transfer. */
const auditDetectedTransfers = (transactions: ReadonlyArray<TransactionRecord>): ReadonlyArray<string> => {
  const transactionKey = ({ transactionHash, walletAddress }: TransactionRecord) =>
    `${walletAddress} ${transactionHash?.hash}`
  const operationKeys = new Set(transactions.filter((each) => !isDetectedTransfer(each)).map(transactionKey))
  return transactions.flatMap((each) =>
    isDetectedTransfer(each) && each.status === "COMPLETED" && operationKeys.has(transactionKey(each))
      ? [`${each.type} ${each.id} is what an operation of the wallet did`]
      : []
  )
}

const auditOperations = (
  journal: Journal,
  transactions: ReadonlyArray<TransactionRecord>,
  chain: ChainState
): ReadonlyArray<string> => {
  const operationTransactions = transactions.filter((each) => !isDetectedTransfer(each))
  const transactionsOf = Map.groupBy(operationTransactions, (each) => each.userOperationHash ?? "")
  const quoteProblems = [...journal.quotes].flatMap(([hash, { payments, type }]) => {
    const [transaction, ...otherTransactions] = transactionsOf.get(hash) ?? []
    if (otherTransactions.length > 0) return [`${hash} has ${otherTransactions.length + 1} transactions`]
    return transaction === undefined
      ? auditUnaccepted(journal, hash, chain)
      : auditAccepted(journal, hash, type, transaction, payments, chain)
  })
  const hashes = new Set([...chain.times.keys(), ...transactionsOf.keys()])
  const unquotedProblems = [...hashes]
    .filter((hash) => !journal.quotes.has(hash))
    .map((hash) => `${hash} was never quoted`)
  return [...quoteProblems, ...unquotedProblems]
}

const auditUnaccepted = (journal: Journal, hash: string, { received, times }: ChainState): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if (journal.executes.get(hash) === "PROMISED") problems.push(`${hash} was promised and is not in the history`)
  if (times.has(hash)) problems.push(`${hash} is on the chain and not in the history`)
  const payments = journal.quotes.get(hash)?.payments ?? new Map<string, bigint>()
  for (const recipient of payments.keys()) {
    if (received.get(recipient)) problems.push(`${hash} was not accepted and paid ${recipient}`)
  }
  return problems
}

const auditAccepted = (
  journal: Journal,
  hash: string,
  type: OperationType,
  transaction: TransactionRecord,
  payments: ReadonlyMap<string, bigint>,
  { received, times }: ChainState
): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const knowledge = journal.executes.get(hash)
  if (knowledge === "REFUSED" || knowledge === undefined) problems.push(`${hash} was never accepted`)
  if (times.get(hash) !== 1) problems.push(`${hash} is ${times.get(hash) ?? 0} times on the chain: ${knowledge}`)
  if (!TERMINAL_STATUSES.has(transaction.status)) problems.push(`${hash} is still ${transaction.status}`)
  if (transaction.type !== type) problems.push(`${hash} is a ${type}, recorded as ${transaction.type}`)
  if (transaction.transactionHash === null) {
    problems.push(`${hash} has no transaction hash: ${JSON.stringify(transaction.failure)}`)
  }
  const promisedId = journal.transactionIds.get(hash)
  if (promisedId !== undefined && promisedId !== transaction.id) {
    problems.push(`${hash} was promised as transaction ${promisedId} and is ${transaction.id}`)
  }
  for (const [recipient, amount] of payments) {
    const expectedAmount = transaction.status === "COMPLETED" ? amount : 0n
    const receivedAmount = received.get(recipient) ?? 0n
    if (receivedAmount !== expectedAmount) {
      problems.push(`${hash} is ${transaction.status}: ${recipient} got ${receivedAmount} and not ${expectedAmount}`)
    }
  }
  return problems
}

/** Checks that every change was reported: the sequence numbers start at 1, have no gap, and do not repeat. */
export const auditSequences = (events: ReadonlyArray<WebhookEvent>): ReadonlyArray<string> => {
  const eventsById = new Map(events.map((event) => [event.id, event]))
  const byResource = Map.groupBy(eventsById.values(), (event) => event.resource)
  return [...byResource].flatMap(([resource, resourceEvents]) => {
    const sequences = resourceEvents.map(({ sequence }) => sequence).sort((a, b) => a - b)
    return sequences.some((sequence, i) => sequence !== i + 1) ? [`${resource} has events ${sequences.join()}`] : []
  })
}

const auditEvents = (
  journal: Journal,
  transactions: ReadonlyArray<TransactionRecord>,
  events: ReadonlyArray<WebhookEvent>,
  { isSteady }: ChainState
): ReadonlyArray<string> => {
  const byResource = Map.groupBy(events, (event) => event.resource)
  const typesOf = (resource: string) =>
    [...new Map((byResource.get(resource) ?? []).map((event) => [event.sequence, event.type]))]
      .sort(([a], [b]) => a - b)
      .map(([, type]) => type)
      .join()
  const transactionProblems = transactions.flatMap(({ id, status, type }) => {
    const eventTypes = typesOf(id)
    const endStatus = status.toLowerCase()
    const expectedPattern = isSteady
      ? `created,${type === "CROSS_SWAP" ? "(updated,)?" : ""}${endStatus}`
      : // A reorg also changes a pending transaction: the bundler refuses it until its preconditions are included again.
        `created,(updated,)*((completed|failed),reorged,(updated,)*)*${endStatus}`
    const isAsExpected = new RegExp(`^${expectedPattern}$`, "u").test(eventTypes.replaceAll("transaction.", ""))
    return isAsExpected ? [] : [`transaction ${id} is ${status} and reported as ${eventTypes}`]
  })
  const walletProblems = [...journal.registrations].flatMap((address) =>
    /^wallet\.registered(,wallet\.deployed)?$/u.test(typesOf(address))
      ? []
      : [`wallet ${address} was reported as ${typesOf(address)}`]
  )
  return [...transactionProblems, ...walletProblems]
}
