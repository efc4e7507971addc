import { Effect, Layer, Predicate } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import type pg from "pg"
import { sqlErrorFromPostgres } from "./errors.ts"
import { inTurns, postgresConnection } from "./postgresConnection.ts"
import { acquirePool, type PostgresOptions } from "./postgresPool.ts"

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning === undefined ? "" : ` RETURNING ${returning[0]}`}`,
    returning === undefined ? values.flat() : [...values.flat(), ...returning[1]]
  ],
  onCustom: () => ["", []]
})

/** A client of the pool's own for a transaction. One that lost its connection meanwhile is not used again. */
const lease = (pool: pg.Pool) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(
        Effect.tryPromise({ try: () => pool.connect(), catch: (cause) => sqlErrorFromPostgres(cause, "connect") }),
        (client) => {
          let lost: Error | undefined
          // Without a listener the loss would end the process; the statement at work fails with it all the same.
          const onError = (error: Error) => {
            lost = error
          }
          client.on("error", onError)
          return { client, onError, lost: () => lost }
        }
      ),
      ({ client, onError, lost }) =>
        Effect.sync(() => {
          client.off("error", onError)
          client.release(lost())
        })
    ),
    ({ client }) => inTurns(postgresConnection(client))
  )

/** Postgres answers the COMMIT of a transaction that failed with ROLLBACK, and not with an error. */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({ cause: result, message: "COMMIT of a failed transaction rolled back" })
          })
        )
      : Effect.void
  )

/** An effect/sql client on a pool of pg connections. Fails when the server can't be reached. */
export const layerPostgresClient = (options: PostgresOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const pool = yield* acquirePool(options)
      const pooled = postgresConnection(pool)
      yield* pooled.execute("SELECT 1", [], undefined)
      return yield* SqlClient.make({
        acquirer: lease(pool),
        borrower: (use) => use(pooled),
        transactionAcquirer: lease(pool),
        compiler,
        driver: "pg",
        commit,
        releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
        spanAttributes: [["db.system.name", "postgresql"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
