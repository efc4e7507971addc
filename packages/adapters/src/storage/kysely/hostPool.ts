import { Effect, Layer, Predicate, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { sqlErrorFromPostgres } from "./errors.ts"
import { postgresClient } from "./postgres.ts"
import { encode } from "./postgresConnection.ts"

/** A connection of a `pg.Pool`, with the members that are used here. */
export interface HostPoolClient {
  readonly query: (config: {
    readonly text: string
    readonly values: Array<unknown>
    readonly rowMode?: "array"
    readonly types: { readonly getTypeParser: (oid: number) => (text: string) => unknown }
    // biome-ignore lint/suspicious/noExplicitAny: pg types rows so.
  }) => Promise<any>
  readonly release: (error?: Error | boolean) => void
  // biome-ignore lint/suspicious/noExplicitAny: pg types listeners so.
  readonly on: (event: "error", listener: (error: Error) => void) => any
  // biome-ignore lint/suspicious/noExplicitAny: pg types listeners so.
  readonly removeListener: (event: "error", listener: (error: Error) => void) => any
}

/** A `pg.Pool`. Its owner creates and ends it. */
export interface HostPool {
  readonly connect: () => Promise<HostPoolClient>
}

const INT8 = 20

/** Parses int8 as a number, or as a bigint above 2^53, like SQLite. The tables have only text and int8 columns. */
const types = {
  getTypeParser: (oid: number) => (text: string) => {
    if (oid !== INT8) return text
    const value = Number(text)
    return Number.isSafeInteger(value) ? value : BigInt(text)
  }
}

/**
 * Whether an error comes from the server: its code is an SQLSTATE, and it is no error of a system call such as `EPIPE`.
 * Any other error concerns the connection.
 */
const isFromServer = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") &&
  /^[0-9A-Z]{5}$/u.test(String(cause.code)) &&
  !Predicate.hasProperty(cause, "syscall")

const sqlError = (cause: unknown, text: string): SqlError.SqlError => {
  const Reason = isFromServer(cause) ? SqlError.UnknownError : SqlError.ConnectionError
  return sqlErrorFromPostgres(new SqlError.SqlError({ reason: new Reason({ cause, message: text }) }), text)
}

const connectionOf = (client: HostPoolClient): SqlConnection.Connection => {
  const query = (text: string, parameters: ReadonlyArray<unknown>, rowMode: { readonly rowMode?: "array" } = {}) =>
    Effect.tryPromise({
      try: () => client.query({ text, values: parameters.map(encode), types, ...rowMode }),
      catch: (cause) => sqlError(cause, text)
    })
  const rows: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(query(text, parameters), ({ rows: resultRows }) =>
      transform === undefined ? resultRows : transform(resultRows)
    )
  const values: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(query(text, parameters, { rowMode: "array" }), ({ rows: resultRows }) => resultRows)
  return {
    execute: rows,
    executeUnprepared: rows,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: (text, parameters) => query(text, parameters),
    executeStream: () => Stream.die(new Error("Postgres results are not streamed."))
  }
}

/** Borrows a connection. A connection that broke while it was in use is not returned to the pool. */
const borrowConnection = (pool: HostPool): Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = await pool.connect()
        let connectionError: Error | undefined
        // Without a listener a lost connection would end the process.
        const onError = (error: Error) => {
          connectionError = error
        }
        client.on("error", onError)
        const release = () => {
          client.removeListener("error", onError)
          client.release(connectionError)
        }
        return { client, release }
      },
      catch: (cause) => sqlError(cause, "connect")
    }),
    ({ release }) => Effect.sync(release)
  ).pipe(Effect.map(({ client }) => connectionOf(client)))

/**
 * An effect/sql client on a pool of the host application, which outlives the client. Timeouts are configured on the
 * pool.
 */
export const layerHostPoolClient = (pool: HostPool): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    postgresClient({ acquirer: borrowConnection(pool), transactionAcquirer: borrowConnection(pool) })
  ).pipe(Layer.provide(Reactivity.layer))
