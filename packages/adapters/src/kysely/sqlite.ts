import { Effect, Layer, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { sqliteConnection } from "./sqliteConnection.ts"
import { openSqlite } from "./sqliteDatabase.ts"

const isSelect = (sql: string): boolean => /^\s*select\b/iu.test(sql)

/** Outside a transaction a SELECT runs on the reader, which never waits for a writer. */
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
 * An effect/sql client on a SQLite file, or on `:memory:`. One connection writes. A transaction takes the write lock when
 * it begins, so that it can't fail later because another process wrote in the meantime.
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
      // A database in memory belongs to its one connection.
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
