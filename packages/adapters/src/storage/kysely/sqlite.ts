import { BoundedMap } from "@countersign/core/foundation/primitives"
import type Database from "better-sqlite3"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { openSqlite, whenUnlocked } from "./sqliteDatabase.ts"

/**
 * Maximum number of prepared statements. The SQL of a query varies with its filters and with the length of its value
 * lists.
 */
const PREPARED_STATEMENTS_MAX = 500

type ResultShape = "rows" | "values" | "result"

/** Encodes dates and booleans, which SQLite does not have. */
const encode = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === "boolean" ? Number(value) : value

/** Adapts a better-sqlite3 database to an effect/sql connection. */
const sqliteConnection = (database: Database.Database): SqlConnection.Connection => {
  const statements = new BoundedMap<string, Database.Statement>(PREPARED_STATEMENTS_MAX)
  const prepare = (sql: string): Database.Statement => {
    const cachedStatement = statements.get(sql)
    if (cachedStatement !== undefined) return cachedStatement
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const run = (sql: string, parameters: ReadonlyArray<unknown>, shape: ResultShape) =>
    Effect.withFiber<unknown, SqlError.SqlError>((fiber) => {
      const safeIntegers = fiber.getRef(SqlClient.SafeIntegers)
      return whenUnlocked(sql, () => {
        const statement = prepare(sql).safeIntegers(safeIntegers)
        const values = parameters.map(encode)
        if (statement.reader) return statement.raw(shape === "values").all(...values)
        const result = statement.run(...values)
        return shape === "result" ? result : []
      })
    })

  const rows: SqlConnection.Connection["execute"] = (sql, parameters, transform) =>
    Effect.map(run(sql, parameters, "rows"), (rows) => {
      const records = rows as ReadonlyArray<object>
      return transform === undefined ? records : transform(records)
    })
  const values: SqlConnection.Connection["executeValues"] = (sql, parameters) =>
    Effect.map(run(sql, parameters, "values"), (rows) => rows as ReadonlyArray<ReadonlyArray<unknown>>)

  return {
    execute: rows,
    executeUnprepared: rows,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: (sql, parameters) => run(sql, parameters, "result"),
    executeStream: () => Stream.die(new Error("SQLite results are not streamed."))
  }
}

const isSelect = (sql: string): boolean => /^\s*select\b/iu.test(sql)

/** Creates a connection that runs prepared SELECT statements on `reader`, which never waits for a writer. */
const splitReads = (
  reader: SqlConnection.Connection,
  writer: SqlConnection.Connection,
  borrowWriter: SqlConnection.Borrower
): SqlConnection.Connection => ({
  ...writer,
  execute: (sql, parameters, transform) =>
    isSelect(sql)
      ? reader.execute(sql, parameters, transform)
      : borrowWriter((connection) => connection.execute(sql, parameters, transform)),
  executeUnprepared: (sql, parameters, transform) =>
    borrowWriter((connection) => connection.executeUnprepared(sql, parameters, transform)),
  executeValues: (sql, parameters) =>
    isSelect(sql)
      ? reader.executeValues(sql, parameters)
      : borrowWriter((connection) => connection.executeValues(sql, parameters)),
  executeValuesUnprepared: (sql, parameters) =>
    borrowWriter((connection) => connection.executeValuesUnprepared(sql, parameters)),
  executeRaw: (sql, parameters) =>
    isSelect(sql)
      ? reader.executeRaw(sql, parameters)
      : borrowWriter((connection) => connection.executeRaw(sql, parameters))
})

/**
 * An effect/sql client on a SQLite file or on `:memory:`. One connection writes. A transaction takes the write lock
 * when it begins, so that it can't fail later because another process wrote in the meantime.
 */
export const layerSqliteClient = (filename: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const database = yield* openSqlite(filename, "write")
      const writer = sqliteConnection(database)
      const acquirers = SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(writer),
        semaphore: Semaphore.makeUnsafe(1),
        isTransaction: () => database.inTransaction
      })
      // An in-memory database belongs to a single connection, so it has no reading connection.
      const reader = filename === ":memory:" ? undefined : sqliteConnection(yield* openSqlite(filename, "read"))
      const splitConnection = reader === undefined ? undefined : splitReads(reader, writer, acquirers.borrower)
      return yield* SqlClient.make({
        ...acquirers,
        borrower: splitConnection === undefined ? acquirers.borrower : (use) => use(splitConnection),
        compiler: Statement.makeCompilerSqlite(),
        driver: "better-sqlite3",
        prepareTransactionControls: true,
        beginTransaction: "BEGIN IMMEDIATE",
        releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
        spanAttributes: [["db.system.name", "sqlite"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
