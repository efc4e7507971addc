import { Effect, Predicate, Semaphore, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type pg from "pg"
import { sqlErrorFromPostgres } from "./errors.ts"
import { StatementName } from "./StatementName.ts"

/** Postgres text can't hold the character NUL; it is replaced as UTF-8 replaces what it can't hold. */
const encode = (value: unknown): unknown =>
  Predicate.isString(value) && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value

type RunsQueries = Pick<pg.ClientBase, "query">

/** A pg pool, or one client of it, as an effect/sql connection. */
export const postgresConnection = (runner: RunsQueries): SqlConnection.Connection => {
  /**
   * Not interruptible: a statement that was sent runs on, and what follows on its connection (a ROLLBACK) must not
   * overtake it. The statement timeout bounds the wait.
   */
  const run = (text: string, parameters: ReadonlyArray<unknown>, shape?: "array") =>
    Effect.withFiber<pg.QueryArrayResult & pg.QueryResult<object>, SqlError.SqlError>((fiber) => {
      const name = fiber.getRef(StatementName)
      return Effect.uninterruptible(
        Effect.tryPromise({
          try: () =>
            runner.query({
              text,
              values: parameters.map(encode),
              ...(name === undefined ? {} : { name }),
              ...(shape === undefined ? {} : { rowMode: shape })
            }) as Promise<pg.QueryArrayResult & pg.QueryResult<object>>,
          catch: (cause) => sqlErrorFromPostgres(cause, text)
        })
      )
    })

  const rows: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(run(text, parameters), (result) => (transform === undefined ? result.rows : transform(result.rows)))
  const values: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(run(text, parameters, "array"), (result) => result.rows)

  return {
    execute: rows,
    executeUnprepared: rows,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: run,
    executeStream: () => Stream.die(new Error("Postgres results are not streamed."))
  }
}

/** A connection for one transaction, on which the fibers of the transaction take turns. */
export const inTurns = (connection: SqlConnection.Connection): SqlConnection.Connection => {
  const turn = Semaphore.makeUnsafe(1)
  const wait = <A, E, R>(effect: Effect.Effect<A, E, R>) => Semaphore.withPermit(turn, effect)
  return {
    execute: (text, parameters, transform) => wait(connection.execute(text, parameters, transform)),
    executeUnprepared: (text, parameters, transform) => wait(connection.executeUnprepared(text, parameters, transform)),
    executeValues: (text, parameters) => wait(connection.executeValues(text, parameters)),
    executeValuesUnprepared: (text, parameters) => wait(connection.executeValuesUnprepared(text, parameters)),
    executeRaw: (text, parameters) => wait(connection.executeRaw(text, parameters)),
    executeStream: connection.executeStream
  }
}
