import { Db } from "@countersign/adapters/kysely"
import { Effect } from "effect"
import type { Journal } from "./Journal.ts"

const TERMINAL = new Set(["COMPLETED", "FAILED"])

/** The rows that a kill could have lost or doubled. */
export const readRows = Effect.gen(function* () {
  const db = yield* Db
  const { query } = db
  return {
    wallets: yield* db.all(query.selectFrom("wallets").select("address")),
    operations: yield* db.all(
      query.selectFrom("user_operations").select(["hash", "submitted_at", "settled_at", "due_at", "included_block"])
    ),
    transactions: yield* db.all(
      query.selectFrom("transactions").select(["id", "user_operation_hash", "status", "record"])
    ),
    events: yield* db.all(
      query.selectFrom("events").select(["resource_kind", "resource_id", "sequence", "type"]).orderBy("sequence")
    )
  }
})

export type Rows = Effect.Success<typeof readRows>

export const countUnsettled = Effect.gen(function* () {
  const db = yield* Db
  const unsettled = db.query
    .selectFrom("user_operations")
    .select("hash")
    .where("due_at", "is not", null)
    .where("included_block", "is", null)
  return (yield* db.all(unsettled)).length
})

/** What is not as the clients were told, in words; empty where nothing was lost and nothing was done twice. */
export const audit = (journal: Journal, rows: Rows, onChain: ReadonlyMap<string, number>): ReadonlyArray<string> => [
  ...journal.surprises,
  ...missing("registration", journal.registrations, new Set(rows.wallets.map(({ address }) => address))),
  ...missing("quote", new Set(journal.quotes.keys()), new Set(rows.operations.map(({ hash }) => hash))),
  ...auditOperations(journal, rows, onChain),
  ...auditEvents(rows)
]

const missing = (what: string, promised: ReadonlySet<string>, stored: ReadonlySet<string>): ReadonlyArray<string> =>
  [...promised].filter((one) => !stored.has(one)).map((one) => `the ${what} of ${one} is lost`)

const auditOperations = (
  journal: Journal,
  { operations, transactions }: Rows,
  onChain: ReadonlyMap<string, number>
): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const transactionsOf = Map.groupBy(transactions, (row) => row.user_operation_hash ?? "")
  for (const { due_at, hash, included_block, settled_at, submitted_at } of operations) {
    const knowledge = journal.executes.get(hash)
    const rows = transactionsOf.get(hash) ?? []
    const times = onChain.get(hash) ?? 0
    const accepted = submitted_at !== null
    if (knowledge === "PROMISED" && !accepted) problems.push(`${hash} was promised and is not submitted`)
    if ((knowledge === "REFUSED" || knowledge === undefined) && accepted) problems.push(`${hash} was never accepted`)
    // In a block, and watched there until that is deep enough, or past that.
    const isWatched = due_at !== null && included_block !== null
    if (accepted && !isWatched && settled_at === null) problems.push(`${hash} is not settled`)
    if (rows.length !== (accepted ? 1 : 0)) problems.push(`${hash} has ${rows.length} transactions`)
    if (times !== (accepted ? 1 : 0)) {
      problems.push(`${hash} is ${times} times on the chain: ${knowledge} ${rows.map(({ record }) => record).join()}`)
    }
    const [transaction] = rows
    if (transaction === undefined) continue
    if (!TERMINAL.has(transaction.status)) problems.push(`${hash} is still ${transaction.status}`)
    const promisedId = journal.transactionIds.get(hash)
    if (promisedId !== undefined && promisedId !== transaction.id) {
      problems.push(`${hash} was promised as transaction ${promisedId} and is ${transaction.id}`)
    }
  }
  const known = new Set(operations.map(({ hash }) => hash))
  for (const hash of onChain.keys()) if (!known.has(hash)) problems.push(`${hash} is on the chain and nowhere else`)
  return problems
}

/** Each change of each resource told once: sequences from one on without a gap, a beginning and an end. */
const auditEvents = ({ events, transactions, wallets }: Rows): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const byResource = Map.groupBy(events, (event) => `${event.resource_kind} ${event.resource_id}`)
  for (const [resource, told] of byResource) {
    const sequences = told.map(({ sequence }) => sequence)
    if (sequences.some((sequence, i) => sequence !== i + 1)) problems.push(`${resource} has events ${sequences.join()}`)
  }
  const eventsOf = Map.groupBy(events, (event) => event.resource_id)
  for (const { id, status } of transactions) {
    const types = (eventsOf.get(id) ?? []).map(({ type }) => type).join()
    if (types !== `transaction.created,transaction.${status.toLowerCase()}`) {
      problems.push(`transaction ${id} is ${status} and told as ${types}`)
    }
  }
  for (const { address } of wallets) {
    const registered = events.filter((event) => event.type === "wallet.registered" && event.resource_id === address)
    if (registered.length !== 1) problems.push(`wallet ${address} was told as registered ${registered.length} times`)
  }
  return problems
}
