import { BoundedMap } from "@countersign/core/primitives"
import type Database from "better-sqlite3"
import { Effect, Stream } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { whenUnlocked } from "./sqliteDatabase.ts"

/** Only texts with lists of values vary; the number of all other texts is far below this. */
const PREPARED_STATEMENTS_MAX = 500

type Shape = "rows" | "values" | "result"

/** SQLite has neither dates nor booleans. */
const encode = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === "boolean" ? Number(value) : value

/** A better-sqlite3 database as an effect/sql connection. */
export const sqliteConnection = (database: Database.Database): SqlConnection.Connection => {
  const statements = new BoundedMap<string, Database.Statement>(PREPARED_STATEMENTS_MAX)
  const prepare = (sql: string): Database.Statement => {
    const cachedStatement = statements.get(sql)
    if (cachedStatement !== undefined) return cachedStatement
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const run = (sql: string, parameters: ReadonlyArray<unknown>, shape: Shape) =>
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
