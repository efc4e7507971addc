import { DateTime, Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import { Db } from "../../Db.ts"
import { convertedExecution, convertedQuote, stageNameOf } from "./convertedOperation.ts"
import { convertedTransaction, type KnownOperation } from "./convertedTransaction.ts"
import type { EarlierOperation, EarlierSubmission, EarlierTransaction } from "./earlier.ts"

/** Rows in memory at once. */
const BATCH_ROWS = 200

interface OperationRow {
  readonly hash: string
  readonly record: string
  readonly submission: string | null
  readonly submitted_at: number | null
  readonly due_at: number | null
  readonly claimed_by: string | null
  readonly claimed_until: number | null
  readonly settled_at: number | null
  readonly included_block: number | null
  readonly included_hash: string | null
}

interface TransactionRow {
  readonly project_id: string
  readonly id: string
  readonly record: string
  readonly quoted: string | null
  readonly settled_at: number | null
  readonly included_block: number | null
  readonly included_hash: string | null
}

interface EventRow {
  readonly id: string
  readonly resource_kind: string
  readonly snapshot: string
}

type Values = ReadonlyArray<string | number | null>

const millisOf = (instant: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(instant))

const tuples = (rows: ReadonlyArray<Values>) =>
  sql.join(rows.map((values) => sql`(${sql.join(values.map((value) => sql.val(value)))})`))

const insertInto = (db: Db["Service"], table: string, columns: string, rows: ReadonlyArray<Values>) =>
  rows.length === 0
    ? Effect.void
    : Effect.asVoid(db.run(sql`insert into ${sql.raw(table)} (${sql.raw(columns)}) values ${tuples(rows)}`))

/** Replaces texts of rows in one statement. Both engines call the columns of VALUES column1, column2 and so on. */
const replaceText = (
  db: Db["Service"],
  table: string,
  key: ReadonlyArray<string>,
  column: string,
  rows: ReadonlyArray<ReadonlyArray<string>>
) => {
  if (rows.length === 0) return Effect.void
  const fresh = sql.join(rows.map((values) => sql`(${sql.join(values.map((value) => sql`cast(${value} as text)`))})`))
  const matches = key.map((name, i) => `${table}.${name} = fresh.column${i + 1}`).join(" and ")
  return Effect.asVoid(
    db.run(
      sql`update ${sql.raw(table)} set ${sql.raw(column)} = fresh.${sql.raw(`column${key.length + 1}`)}
        from (values ${fresh}) as fresh where ${sql.raw(matches)}`
    )
  )
}

/** Hands all rows on in batches, in the order of their keys. */
const inBatches = <Row>(
  db: Db["Service"],
  page: (after: Row | null) => RawBuilder<Row>,
  convert: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    let after: Row | null = null
    for (;;) {
      const rows: ReadonlyArray<Row> = yield* db.all(page(after))
      if (rows.length > 0) yield* convert(rows)
      if (rows.length < BATCH_ROWS) return
      after = rows.at(-1)!
    }
  })

const convertOperations = (db: Db["Service"]) =>
  inBatches<OperationRow>(
    db,
    (after) => sql`
      select hash, record, submission, submitted_at, due_at, claimed_by, claimed_until, settled_at, included_block,
        included_hash
      from user_operations where hash > ${after?.hash ?? ""} order by hash limit ${sql.lit(BATCH_ROWS)}`,
    Effect.fnUntraced(function* (rows) {
      const operations = rows.map((row) => ({ row, record: JSON.parse(row.record) as EarlierOperation }))
      yield* insertInto(
        db,
        "quotes",
        "project_id, id, wallet_address, kind, record, created_at, expires_at, accepted_at",
        operations.map(({ record, row }) => [
          record.projectId,
          record.hash,
          record.account.address,
          "SWAP",
          JSON.stringify(convertedQuote(record)),
          millisOf(record.createdAt),
          millisOf(record.expiresAt),
          row.submitted_at
        ])
      )
      yield* insertInto(
        db,
        "quote_operations",
        "project_id, hash, quote_id",
        operations.map(({ record: { hash, projectId } }) => [projectId, hash, hash])
      )
      yield* insertInto(
        db,
        "executions",
        `id, project_id, quote_id, stage, record, version, accepted_at, due_at, claimed_by, claimed_until, ended_at`,
        operations.flatMap(({ record, row }) => {
          if (row.submission === null) return []
          const submission = JSON.parse(row.submission) as EarlierSubmission
          const isIncluded = row.included_block !== null
          return [
            [
              submission.transactionId,
              record.projectId,
              record.hash,
              stageNameOf(isIncluded),
              JSON.stringify(convertedExecution(record, submission, isIncluded)),
              0,
              millisOf(submission.submittedAt),
              row.due_at,
              row.claimed_by,
              row.claimed_until,
              row.settled_at
            ]
          ]
        })
      )
    })
  )

const knownOperationOf = (row: TransactionRow): KnownOperation | null =>
  row.quoted === null
    ? null
    : {
        quoted: (JSON.parse(row.quoted) as EarlierOperation).transaction,
        block:
          row.included_block === null || row.included_hash === null
            ? null
            : { number: row.included_block, hash: row.included_hash },
        isSettled: row.settled_at !== null
      }

const convertTransactions = (db: Db["Service"]) =>
  inBatches<TransactionRow>(
    db,
    (after) => sql`
      select t.project_id, t.id, t.record, o.record as quoted, o.settled_at, o.included_block, o.included_hash
      from transactions t
      left join user_operations o on o.hash = t.user_operation_hash and o.project_id = t.project_id
      where (t.project_id, t.id) > (${after?.project_id ?? ""}, ${after?.id ?? ""})
      order by t.project_id, t.id limit ${sql.lit(BATCH_ROWS)}`,
    Effect.fnUntraced(function* (rows) {
      const transactions = rows.map((row) => ({ row, earlier: JSON.parse(row.record) as EarlierTransaction }))
      yield* replaceText(
        db,
        "transactions",
        ["project_id", "id"],
        "record",
        transactions.map(({ earlier, row }) => [
          row.project_id,
          row.id,
          JSON.stringify(convertedTransaction(earlier, knownOperationOf(row)))
        ])
      )
      yield* insertInto(
        db,
        "transaction_legs",
        "project_id, transaction_id, position, chain_id, hash",
        transactions.flatMap(({ earlier: { chainIdIn, transactionHash }, row }) =>
          transactionHash === null ? [] : [[row.project_id, row.id, 0, chainIdIn, transactionHash]]
        )
      )
    })
  )

/** The snapshot of an event as it is written from now on; null where it is none of a resource that has changed. */
const convertedSnapshot = ({ resource_kind, snapshot }: EventRow): string | null => {
  const resource = JSON.parse(snapshot)
  if (resource_kind === "transaction" && Array.isArray(resource.fees)) {
    return JSON.stringify(convertedTransaction(resource as EarlierTransaction, null))
  }
  if (resource_kind === "wallet" && resource.wallet?.account !== undefined) {
    return JSON.stringify({ ...resource, wallet: { type: "SMART", ...resource.wallet } })
  }
  return null
}

const convertEvents = (db: Db["Service"]) =>
  inBatches<EventRow>(
    db,
    (after) => sql`
      select id, resource_kind, snapshot from events
      where id > ${after?.id ?? ""} order by id limit ${sql.lit(BATCH_ROWS)}`,
    (rows) =>
      replaceText(
        db,
        "events",
        ["id"],
        "snapshot",
        rows.flatMap((row) => {
          const snapshot = convertedSnapshot(row)
          return snapshot === null ? [] : [[row.id, snapshot]]
        })
      )
  )

/** Every operation becomes a quote, and an execution where it was signed; history and events say it in today's words. */
export const conversion: Effect.Effect<void, never, Db> = Effect.gen(function* () {
  const db = yield* Db
  yield* convertOperations(db)
  yield* convertTransactions(db)
  yield* convertEvents(db)
})
