import { statSync } from "node:fs"
import { parseArgs } from "node:util"
import { Transaction } from "@countersign/core/accounting/history"
import { jsonText } from "@countersign/core/foundation/primitives"
import { DateTime, Effect, Fiber, type Layer, Redacted, References } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { sql } from "kysely"
import { aMovement, aTransaction } from "../../core/src/accounting/history/Transaction.fixture.ts"
import { aHash } from "../../core/src/foundation/primitives/ids.fixture.ts"
import { Db, layerPostgresDb, layerSqliteDb, migrate } from "../src/storage/kysely/index.ts"
import { chains } from "../src/storage/kysely/migrations/0001/chains.ts"
import { executions } from "../src/storage/kysely/migrations/0001/executions.ts"
import { history } from "../src/storage/kysely/migrations/0001/history.ts"
import { operator } from "../src/storage/kysely/migrations/0001/operator.ts"
import { projects } from "../src/storage/kysely/migrations/0001/projects.ts"
import { wallets } from "../src/storage/kysely/migrations/0001/wallets.ts"
import { webhooks } from "../src/storage/kysely/migrations/0001/webhooks.ts"
import { type Dialect, migrations } from "../src/storage/kysely/migrations/index.ts"
import { temporaryDatabase, temporaryFile } from "../test/support/databases.ts"

/**
 * Fills every table of the first migration with `--rows` rows, and then runs all later migrations as the service does
 * when it starts. Prints the duration of each migration. For Postgres, also prints which tables were locked, and for
 * how long another process waited for them. Run it with `npm run bench:upgrade -w packages/adapters -- --rows 1000000`.
 */

const { values } = parseArgs({ options: { rows: { type: "string", default: "10000" } } })
const rows = Number(values.rows)
const PROJECTS = 100
/** Rows per statement. A small number limits the memory use of SQLite. */
const CHUNK = 50_000

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.assign(
  {},
  ...[projects, wallets, executions, history, webhooks, operator, chains].map((each) => each.tables)
)

/** A typical transaction of a swap. The database generates the unique values. */
const transaction = aTransaction({
  legs: [{ chainId: 137, hash: aHash(), block: { number: 7n, hash: aHash() }, state: "FINAL", stage: 0 }],
  movements: [aMovement({ leg: 0 }), aMovement({ leg: 0, direction: "IN" }), aMovement({ leg: 0, role: "GAS" })],
  createdAt: DateTime.makeUnsafe(1_700_000_000_000)
})
const record = jsonText(Transaction).encode(transaction)

const sqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
const withNumber = (prefix: string): string => `${sqlLiteral(`${prefix}-`)} || n`
const projectId = `'projects-' || (n % ${Math.min(rows, PROJECTS)} + 1)`

const texts: Readonly<Record<string, string>> = {
  project_id: projectId,
  quote_id: withNumber("quotes"),
  event_id: withNumber("events"),
  endpoint_id: withNumber("webhook_endpoints"),
  transaction_id: withNumber("transactions"),
  operator: "'operator'",
  stage: "'inclusion'",
  status: "'COMPLETED'",
  type: "'SWAP'",
  kind: "'SWAP'",
  record: "'{}'",
  metadata: "'{}'",
  account: `'{"owner":"0x1"}'`
}

/** Values for columns that need other values than columns with the same name in other tables. */
const special: Readonly<Record<string, string>> = {
  "projects.id": withNumber("projects"),
  "transactions.record": `replace(${sqlLiteral(record)}, '${transaction.id}', 'transactions-' || n)`,
  "webhook_deliveries.status": "'DELIVERED'",
  "operator_transactions.chain_id": "1",
  "operator_transaction_operations.chain_id": "1",
  // One row in a hundred is pending.
  "executions.due_at": "case when n % 100 = 0 then n end",
  "transaction_legs.chain_id": "137"
}

const valueOf = (table: string, column: string, type: string): string => {
  const specialValue = special[`${table}.${column}`]
  if (specialValue !== undefined) return specialValue
  if (!/not null|primary key/u.test(type)) return "null"
  return type.startsWith("integer") ? "n" : (texts[column] ?? withNumber(column === "id" ? table : column))
}

const numbers: Record<Dialect, (from: number, to: number) => string> = {
  postgres: (from, to) => `generate_series(${from}, ${to}) as numbers (n)`,
  sqlite: (from, to) =>
    `(with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to}) select n from numbers)`
}

const fill = Effect.gen(function* () {
  const db = yield* Db
  yield* migrate(migrations.slice(0, 1))
  for (const [table, lines] of Object.entries(tables)) {
    const columns = Object.entries(lines).filter(([name]) => !name.includes(" "))
    const names = columns.map(([name]) => name).join(", ")
    const selectList = columns.map(([name, type]) => valueOf(table, name, type)).join(", ")
    for (let firstRow = 1; firstRow <= rows; firstRow += CHUNK) {
      const series = numbers[db.dialect](firstRow, Math.min(rows, firstRow + CHUNK - 1))
      yield* db.run(sql.raw(`insert into ${table} (${names}) select ${selectList} from ${series}`))
    }
  }
  yield* db.run(sql.raw("analyze"))
})

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`

const measureTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const startMs = performance.now()
    return Effect.map(effect, (value) => ({ value, ms: performance.now() - startMs }))
  })

/** Returns the duration of each migration, computed from the times at which the migrations ended. */
const durations = (startedAt: number) =>
  Effect.gen(function* () {
    const db = yield* Db
    const appliedMigrations = yield* db.all(
      db.query.selectFrom("schema_migrations").select(["name", "applied_at"]).orderBy("name")
    )
    let previous = startedAt
    return appliedMigrations.slice(1).map(({ applied_at, name }) => {
      const ms = Number(applied_at) - previous
      previous = Number(applied_at)
      return { name, ms }
    })
  })

/** Records the ACCESS EXCLUSIVE locks that another connection observes, and for how long each lock was held. */
const watchLocks = (lockTimes: Map<string, number>) => {
  let startMs = performance.now()
  return Effect.forever(
    Effect.gen(function* () {
      const db = yield* Db
      const locks = yield* db.all<{ readonly relname: string }>(
        sql`select relname from pg_locks join pg_class on pg_class.oid = relation
          where mode = 'AccessExclusiveLock' and granted and relkind = 'r'`
      )
      const now = performance.now()
      for (const { relname } of locks) lockTimes.set(relname, (lockTimes.get(relname) ?? 0) + now - startMs)
      startMs = now
      yield* Effect.sleep("20 millis")
    })
  )
}

/**
 * Repeats a statement. Records the longest time that it waited for a row, and how often the `statement_timeout` of 30 s
 * ended the wait.
 */
const repeatStatement = (statement: string, waits: { longestMs: number; failures: number }) =>
  Effect.forever(
    Effect.gen(function* () {
      const db = yield* Db
      const { ms, value } = yield* measureTime(Effect.exit(db.run(sql.raw(statement))))
      waits.longestMs = Math.max(waits.longestMs, ms)
      if (value._tag === "Failure") waits.failures += 1
      yield* Effect.sleep("5 millis")
    })
  )

type Connection = Layer.Layer<Db | SqlClient.SqlClient, SqlError.SqlError>

const report = Effect.fnUntraced(function* (name: string, connection: () => Connection, size: Effect.Effect<number>) {
  const withConnection = <A, E>(effect: Effect.Effect<A, E, Db>) => Effect.provide(effect, connection())
  const fillTime = yield* measureTime(withConnection(fill))
  const megabytes = (yield* size) / 1_048_576
  console.log(
    `${name}: ${rows} rows in each of ${Object.keys(tables).length} tables, ${megabytes.toFixed(0)} MiB, filled in ${seconds(fillTime.ms)}`
  )
  const lockTimes = new Map<string, number>()
  const [readWaits, writeWaits] = [
    { longestMs: 0, failures: 0 },
    { longestMs: 0, failures: 0 }
  ]
  const watchEffects =
    name === "Postgres"
      ? [
          watchLocks(lockTimes),
          repeatStatement("select 1 from transactions limit 1", readWaits),
          repeatStatement("update wallets set last_transaction_at = 1 where address = 'address-1'", writeWaits)
        ]
      : []
  const watchers = yield* Effect.forEach(watchEffects, (watcher) => Effect.forkChild(withConnection(watcher)))
  yield* Effect.sleep("200 millis")
  const startedAt = Date.now()
  const { ms } = yield* measureTime(withConnection(migrate()))
  yield* Effect.forEach(watchers, Fiber.interrupt)
  const migrationDurations = yield* withConnection(durations(startedAt))
  for (const { ms: own, name: migration } of migrationDurations)
    console.log(`  ${migration.padEnd(40)} ${seconds(own)}`)
  console.log(
    `  all migrations ${" ".repeat(26)}${seconds(ms)}; the database has ${((yield* size) / 1_048_576).toFixed(0)} MiB`
  )
  if (name === "SQLite") {
    console.log("  The database is locked for writers the whole time. No other process can use it.")
    return
  }
  for (const [table, locked] of [...lockTimes].toSorted(([, a], [, b]) => b - a))
    console.log(`  ${table} was locked (ACCESS EXCLUSIVE) for about ${seconds(locked)}`)
  for (const [action, { failures, longestMs }] of [
    ["read a transaction", readWaits],
    ["update a wallet", writeWaits]
  ] as const)
    console.log(
      `  another process waited at most ${seconds(longestMs)} to ${action}; ${failures} of its statements failed`
    )
})

await Effect.gen(function* () {
  const file = yield* temporaryFile
  yield* report(
    "SQLite",
    () => layerSqliteDb(file),
    Effect.sync(() => statSync(file).size)
  )
}).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Warn"), Effect.runPromise)

await Effect.gen(function* () {
  const url = yield* temporaryDatabase
  const connection = () => layerPostgresDb({ url: Redacted.make(Redacted.value(url)) })
  const size = Effect.flatMap(Db, (db) =>
    Effect.map(db.all<{ readonly size: string }>(sql`select pg_database_size(current_database()) as size`), ([row]) =>
      Number(row!.size)
    )
  )
  yield* report("Postgres", connection, Effect.orDie(Effect.provide(size, connection())))
}).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Warn"), Effect.runPromise)
