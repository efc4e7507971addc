import { Month } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, Order, Schema } from "effect"
import { sql } from "kysely"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"
import { isOneOf } from "./projectRowKeys.ts"
import { acquireAdvisoryLock } from "./transactions.ts"

/** A month of archived executions. */
export interface ArchivedMonth {
  readonly month: Month
  readonly rows: number
  readonly bytes: number
  /** False if the month's table is detached. The service then does not read it. */
  readonly isAttached: boolean
}

export class MonthNotInArchive extends Schema.TaggedError<MonthNotInArchive>("adapters/kysely/MonthNotInArchive")(
  "MONTH_NOT_IN_ARCHIVE",
  { month: Month }
) {
  override get message(): string {
    return `The archive has no month ${this.month}.`
  }
}

export class MonthNotComplete extends Schema.TaggedError<MonthNotComplete>("adapters/kysely/MonthNotComplete")(
  "MONTH_NOT_COMPLETE",
  { month: Month }
) {
  override get message(): string {
    return `Some executions of ${this.month} are not in the archive yet: the service moves them ARCHIVE_AFTER_DAYS after their end. Detach the month later.`
  }
}

export class MonthStillRead extends Schema.TaggedError<MonthStillRead>("adapters/kysely/MonthStillRead")(
  "MONTH_STILL_READ",
  { month: Month }
) {
  override get message(): string {
    return `The service no longer reads ${this.month}, but the month's table is not completely detached: a transaction that has read the archive, such as a backup, is still open. Run the command again after that transaction has ended.`
  }
}

const PREFIX = "archived_executions_"
const tableOf = (month: Month): string => `${PREFIX}${month.replace("-", "_")}`
const monthOf = (at: DateTime.Utc): Month => Month.make(DateTime.formatIso(at).slice(0, 7))

/** Returns the first instant of a month and of the next one. */
const boundsOf = (month: Month): readonly [from: number, until: number] => {
  const start = DateTime.makeUnsafe(`${month}-01T00:00:00.000Z`)
  return [millisOf(start), millisOf(DateTime.add(start, { months: 1 }))]
}

interface Partition {
  readonly name: string
  readonly bytes: number
  /** 1 if a detachment of the table was interrupted; null if the table is detached. */
  readonly is_pending: number | null
}

/** Selects the months' tables on Postgres. `is_pending` is 1 if the detachment of the table was interrupted. */
const partitions = sql<Partition>`
  select relname::text as name, pg_total_relation_size(pg_class.oid) as bytes,
    case when inhdetachpending then 1 when inhrelid is not null then 0 end as is_pending
  from pg_class left join pg_inherits on inhrelid = pg_class.oid
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and relname ~ ${`^${PREFIX}[0-9]{4}_[0-9]{2}$`}`

/**
 * On Postgres, attaches the tables of these months to the archive, and creates missing tables. ATTACH allows other
 * processes to read the archive at the same time.
 */
export const attachMonths = Effect.fnUntraced(function* (db: Db["Service"], instants: ReadonlyArray<DateTime.Utc>) {
  if (db.dialect === "sqlite") return
  const missingMonths = Effect.map(db.all(partitions), (tables) => {
    const attachedTables = new Set(tables.filter(({ is_pending }) => is_pending !== null).map(({ name }) => name))
    return [...new Set(instants.map(monthOf))].filter((month) => !attachedTables.has(tableOf(month)))
  })
  if ((yield* missingMonths).length === 0) return
  yield* acquireAdvisoryLock(db, PREFIX)
  for (const month of yield* missingMonths) {
    const [from, until] = boundsOf(month)
    const name = sql.table(tableOf(month))
    yield* db.run(sql`create table if not exists ${name} (like archived_executions including all)`)
    yield* db.run(
      sql`alter table archived_executions attach partition ${name} for values from (${sql.lit(from)}) to (${sql.lit(until)})`
    )
  }
})

const countOf = (db: Db["Service"], table: string) =>
  Effect.map(
    db.all(sql<{ readonly rows: number }>`select count(*) as rows from ${sql.table(table)}`),
    ([row]) => row?.rows ?? 0
  )

const byName = Order.mapInput(Order.String, ({ name }: Partition) => name)

const postgresMonths = (db: Db["Service"]) =>
  Effect.flatMap(db.all(partitions), (tables) =>
    Effect.forEach(tables.toSorted(byName), ({ bytes, is_pending, name }) =>
      Effect.map(
        countOf(db, name),
        (rows): ArchivedMonth => ({
          month: Month.make(name.slice(PREFIX.length).replace("_", "-")),
          rows,
          bytes,
          isAttached: is_pending === 0
        })
      )
    )
  )

const sqliteMonths = (db: Db["Service"]) =>
  Effect.map(
    db.all(sql<{ readonly month: Month; readonly rows: number; readonly bytes: number }>`
      select strftime('%Y-%m', ended_at / 1000, 'unixepoch') as month, count(*) as rows,
        sum(octet_length(execution) + octet_length(quote)) as bytes
      from archived_executions group by 1 order by 1`),
    (rows): ReadonlyArray<ArchivedMonth> => rows.map((row) => ({ ...row, isAttached: true }))
  )

/** Lists the months of the archive, and on Postgres also detached months whose table still exists. */
export const archivedMonths = (db: Db["Service"]): Effect.Effect<ReadonlyArray<ArchivedMonth>> =>
  db.dialect === "sqlite" ? sqliteMonths(db) : postgresMonths(db)

const requireComplete = Effect.fnUntraced(function* (db: Db["Service"], month: Month) {
  const [from, until] = boundsOf(month)
  const remainingExecutions = yield* db.all(
    sql`select 1 as one from executions where ended_at >= ${from} and ended_at < ${until} limit 1`
  )
  const now = yield* DateTime.now
  if (remainingExecutions.length > 0 || millisOf(now) < until) return yield* new MonthNotComplete({ month })
})

/**
 * On Postgres, detaches the table of a month from the archive, and keeps the table. Returns its name. Must not run in a
 * transaction. After an interruption the next call continues.
 */
export const detachMonth = Effect.fnUntraced(function* (db: Db["Service"], month: Month) {
  const table = tableOf(month)
  const partition = (yield* db.all(partitions)).find(({ name }) => name === table)
  if (partition === undefined) return yield* new MonthNotInArchive({ month })
  yield* requireComplete(db, month)
  if (partition.is_pending !== null) {
    const detachMode = partition.is_pending === 1 ? sql`finalize` : sql`concurrently`
    yield* Effect.catchDefect(
      db.run(sql`alter table archived_executions detach partition ${sql.table(table)} ${detachMode}`),
      Effect.fnUntraced(function* (defect) {
        const isPending = (yield* db.all(partitions)).some(({ is_pending, name }) => name === table && is_pending === 1)
        return yield* isPending ? new MonthStillRead({ month }) : Effect.die(defect)
      })
    )
  }
  return table
})

/** Number of rows that are written and then deleted at a time. */
const EXPORT_ROWS = 500

const lineOf = (row: Tables["archived_executions"]): string => {
  const key = { projectId: row.project_id, id: row.id, quoteId: row.quote_id, endedAt: row.ended_at }
  return `${JSON.stringify(key).slice(0, -1)},"execution":${row.execution},"quote":${row.quote}}\n`
}

/**
 * Writes the executions of a month as JSON lines, and deletes them from the archive. Returns their number. Rows are
 * deleted after they are written. After an interruption the next call writes the remaining rows.
 */
export const exportMonth = Effect.fnUntraced(function* <E, R>(
  db: Db["Service"],
  month: Month,
  openWriter: Effect.Effect<(lines: string) => Effect.Effect<void, E>, E, R>
) {
  const [from, until] = boundsOf(month)
  const isOfMonth = sql`ended_at >= ${from} and ended_at < ${until}`
  const nextRows = db.all(sql<Tables["archived_executions"]>`
    select project_id, id, quote_id, ended_at, execution, quote from archived_executions
    where ${isOfMonth} order by ended_at limit ${EXPORT_ROWS}`)
  let rows = yield* nextRows
  if (rows.length === 0) return yield* new MonthNotInArchive({ month })
  yield* requireComplete(db, month)
  const write = yield* openWriter
  let count = 0
  while (rows.length > 0) {
    yield* write(rows.map(lineOf).join(""))
    yield* db.run(sql`
      delete from archived_executions
      where ${isOneOf(rows.map(({ id, project_id }) => [project_id, id]))} and ${isOfMonth}`)
    count += rows.length
    rows = yield* nextRows
  }
  return count
})
