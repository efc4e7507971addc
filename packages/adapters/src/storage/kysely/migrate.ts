import { Clock, DateTime, Effect, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { columnTypes, type Migration, migrations, type PagedChange } from "./migrations/index.ts"

export interface MigrationStatus {
  readonly name: string
  /** Null if the migration has not run yet. */
  readonly appliedAt: DateTime.Utc | null
}

/**
 * A later version of the service has migrated this database. An earlier version could damage data that it does not
 * support.
 */
export class DatabaseIsNewer extends Schema.TaggedError<DatabaseIsNewer>("adapters/kysely/DatabaseIsNewer")(
  "DATABASE_IS_NEWER",
  { unknown: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `This database was migrated by a later version of Countersign (this version does not have ${this.unknown.join(", ")}). Run the later version, or restore a backup from before the migration.`
  }
}

/** Advisory lock key that no other user of this database uses: the bytes of "csig". */
const ADVISORY_LOCK = 0x63736967

/** Waits for other migrations without a timeout. On SQLite, transactions exclude each other anyway. */
const lockMigrations = (db: Db["Service"]) =>
  db.dialect === "sqlite"
    ? Effect.void
    : Effect.andThen(
        db.run(sql`set local statement_timeout = 0`),
        db.run(sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`)
      )

/**
 * Time in which a migration must get all of its locks; otherwise it releases them. Postgres aborts one of two
 * transactions that wait for each other after `deadlock_timeout`, which is one second by default. This time is shorter,
 * so a deadlock never aborts a request of a running process.
 */
const LOCK_MS = 500
/** Retries for ten minutes in total, which is sufficient for a backup or another long transaction on the tables. */
const LOCK_RETRIES = Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 600 }))

/**
 * Locks all tables of these migrations before the first statement, so that later statements do not wait for other
 * transactions.
 */
const lockTables = Effect.fnUntraced(function* (db: Db["Service"], pendingMigrations: ReadonlyArray<Migration>) {
  if (db.dialect === "sqlite") return
  const text = pendingMigrations
    .flatMap((migration) => ("paged" in migration ? [] : migration.statements(columnTypes.postgres, "postgres")))
    .join("\n")
  const tables = yield* db.all<{ readonly tablename: string }>(
    sql`select tablename from pg_tables where schemaname = current_schema() order by tablename`
  )
  const namedTables = tables
    .map(({ tablename }) => tablename)
    .filter((name) => new RegExp(`\\b${name}\\b`, "u").test(text))
  if (namedTables.length === 0) return
  yield* db.run(sql`set local statement_timeout = ${sql.lit(LOCK_MS)}`)
  yield* db.run(sql`lock table ${sql.join(namedTables.map((name) => sql.table(name)))} in access exclusive mode`)
  yield* db.run(sql`set local statement_timeout = 0`)
})

/** Another transaction held a lock. This transaction was rolled back and can run again. */
class LockedOut {
  readonly error: SqlError.SqlError
  constructor(error: SqlError.SqlError) {
    this.error = error
  }
}

const lockFailures: ReadonlySet<string> = new Set(["StatementTimeoutError", "DeadlockError"])

const retryForLocks = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  transaction.pipe(
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect) && lockFailures.has(defect.reason._tag)
        ? Effect.fail(new LockedOut(defect))
        : Effect.die(defect)
    ),
    Effect.retry({ schedule: LOCK_RETRIES, while: (failure) => failure instanceof LockedOut }),
    Effect.catch((failure) => (failure instanceof LockedOut ? Effect.die(failure.error) : Effect.fail(failure)))
  )

const createJournal = (db: Db["Service"]) => {
  const { text, integer } = columnTypes[db.dialect]
  return db.run(
    sql.raw(`create table if not exists schema_migrations (name ${text} primary key, applied_at ${integer} not null)`)
  )
}

const readAppliedMigrations = (db: Db["Service"]) =>
  Effect.map(
    db.all(db.query.selectFrom("schema_migrations").selectAll()),
    (rows) => new Map(rows.map((row) => [row.name, DateTime.makeUnsafe(row.applied_at)]))
  )

/** Number of transactions per page, small enough for one database transaction, whatever their size. */
const PAGE = 1_000

/** The last transaction of a page, by project and id. */
type PageEnd = readonly [projectId: string, id: string]

/** An applied migration, and a description of its result. */
export interface AppliedMigration {
  readonly name: string
  /** A text such as "deposits removed: 12"; null if it changed no rows. */
  readonly result: string | null
}

/** A paged change that has more pages to process. */
interface OpenChange {
  readonly name: string
  readonly after: PageEnd
  readonly count: number
}

interface MigrationStep {
  readonly applied: ReadonlyArray<AppliedMigration>
  readonly open: OpenChange | null
}

const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
const tuple = (end: PageEnd): string => `(${end.map(quoteLiteral).join(", ")})`

/** Changes one page. A page with fewer than `PAGE` transactions is the last one. */
const changePage = Effect.fnUntraced(function* (db: Db["Service"], { statement }: PagedChange, after: PageEnd | null) {
  const isAfter = after === null ? "1 = 1" : `(project_id, id) > ${tuple(after)}`
  const page = `select project_id, id from transactions where ${isAfter} order by project_id, id`
  const ends = yield* db.all<{ readonly project_id: string; readonly id: string }>(
    sql.raw(`${page} limit 1 offset ${PAGE - 1}`)
  )
  const end: PageEnd | null = ends[0] === undefined ? null : [ends[0].project_id, ends[0].id]
  const changedCount = yield* db.run(sql.raw(statement(db.dialect, `${page} limit ${PAGE}`)))
  return { changedCount, end }
})

/**
 * Applies missing migrations within one database transaction. Stops early after one page of a paged migration, unless
 * that page is the last.
 */
const applyMigrations = (db: Db["Service"], allMigrations: ReadonlyArray<Migration>, open: OpenChange | null) =>
  Effect.gen(function* () {
    yield* lockMigrations(db)
    yield* createJournal(db)
    const appliedMigrations = yield* readAppliedMigrations(db)
    const knownNames = new Set(allMigrations.map((migration) => migration.name))
    const unknownNames = [...appliedMigrations.keys()].filter((name) => !knownNames.has(name))
    if (unknownNames.length > 0) return yield* new DatabaseIsNewer({ unknown: unknownNames })
    const newlyApplied: Array<AppliedMigration> = []
    const pendingMigrations = allMigrations.filter(({ name }) => !appliedMigrations.has(name))
    let isLocked = false
    for (const [i, migration] of pendingMigrations.entries()) {
      const { name } = migration
      if ("paged" in migration) isLocked = false
      else if (!isLocked) {
        const nextPagedIndex = pendingMigrations.findIndex((other, j) => j > i && "paged" in other)
        yield* lockTables(db, pendingMigrations.slice(i, nextPagedIndex === -1 ? undefined : nextPagedIndex))
        isLocked = true
      }
      let result: string | null = null
      if ("paged" in migration) {
        const openMigration = open?.name === name ? open : null
        const { changedCount, end } = yield* changePage(db, migration.paged, openMigration?.after ?? null)
        const count = (openMigration?.count ?? 0) + changedCount
        if (end !== null) return { applied: newlyApplied, open: { name, after: end, count } } satisfies MigrationStep
        result = count === 0 ? null : `${migration.paged.countLabel}: ${count}`
      } else {
        for (const statement of migration.statements(columnTypes[db.dialect], db.dialect))
          yield* db.run(sql.raw(statement))
      }
      const appliedAt = yield* Clock.currentTimeMillis
      yield* db.run(db.query.insertInto("schema_migrations").values({ name, applied_at: appliedAt }))
      newlyApplied.push({ name, result })
    }
    return { applied: newlyApplied, open: null } satisfies MigrationStep
  })

/**
 * Migrates the database, and returns the applied migrations. All migrations are applied in one transaction, or none. If
 * a migration has to change the rows of more than one page of transactions, each page ends a transaction, and after an
 * interruption the next start continues. Several processes may call this concurrently: the work is done once, and each
 * call returns what it did itself.
 */
export const migrate = (allMigrations: ReadonlyArray<Migration> = migrations) =>
  Effect.gen(function* () {
    const db = yield* Db
    const newlyApplied: Array<AppliedMigration> = []
    let open: OpenChange | null = null
    do {
      const stepResult: MigrationStep = yield* retryForLocks(db.transaction(applyMigrations(db, allMigrations, open)))
      newlyApplied.push(...stepResult.applied)
      open = stepResult.open
    } while (open !== null)
    for (const { name, result } of newlyApplied) {
      if (result !== null) yield* Effect.logInfo("migration applied", { name, result })
    }
    return newlyApplied
  })

/** Lists all migrations that this version or this database has, in order. Runs none. */
export const migrationStatus = Effect.gen(function* () {
  const db = yield* Db
  const appliedMigrations = yield* db.transaction(
    Effect.andThen(Effect.andThen(lockMigrations(db), createJournal(db)), readAppliedMigrations(db))
  )
  const names = new Set([...migrations.map((migration) => migration.name), ...appliedMigrations.keys()])
  return [...names].sort().map((name): MigrationStatus => ({ name, appliedAt: appliedMigrations.get(name) ?? null }))
})
