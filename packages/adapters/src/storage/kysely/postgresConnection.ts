import type { PgConnection } from "@effect/sql-pg"
import { Effect, Predicate, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { sqlErrorFromPostgres } from "./errors.ts"

/** Replaces the character NUL, which Postgres text can't contain, by the Unicode replacement character. */
export const encode = (value: unknown): unknown =>
  Predicate.isString(value) && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value

/** Adapts a connection of `@effect/sql-pg` to `SqlClient`, and adds the statement to its errors. */
export const postgresConnection = (connection: PgConnection.PgConnection): SqlConnection.Connection => {
  const inError = (text: string) => (error: SqlError.SqlError) => sqlErrorFromPostgres(error, text)
  const query = (text: string, parameters: ReadonlyArray<unknown>, isPrepared: boolean) =>
    Effect.mapError(connection.query(text, parameters.map(encode), isPrepared), inError(text))
  const rows =
    (isPrepared: boolean): SqlConnection.Connection["execute"] =>
    (text, parameters, transform) =>
      Effect.map(query(text, parameters, isPrepared), (result) =>
        transform === undefined ? result.rows : transform(result.rows)
      )
  const values =
    (isPrepared: boolean): SqlConnection.Connection["executeValues"] =>
    (text, parameters) =>
      Effect.mapError(connection.queryValues(text, parameters.map(encode), isPrepared), inError(text))

  return {
    execute: rows(true),
    executeUnprepared: rows(false),
    executeValues: values(true),
    executeValuesUnprepared: values(false),
    executeRaw: (text, parameters) => query(text, parameters, false),
    executeStream: () => Stream.die(new Error("Postgres results are not streamed."))
  }
}
