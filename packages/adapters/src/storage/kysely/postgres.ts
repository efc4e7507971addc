import { PgClient, PgConnection, PgPool, PgTypes } from "@effect/sql-pg"
import { Duration, Effect, Layer, Predicate, Queue, type Redacted, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import type { Listen } from "./Db.ts"
import { postgresConnection } from "./postgresConnection.ts"

/** Parses int8 to the same JavaScript type as SQLite: a number, or a bigint above 2^53. */
const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)
    return Result.succeed(Number.isSafeInteger(Number(value)) ? Number(value) : value)
  }
}

const postgresTypes: PgTypes.Registry = PgTypes.makeRegistry()
postgresTypes.register(PgTypes.OID.int8, int8)

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. */
  readonly url: Redacted.Redacted<string>
  /** URL of a streaming replica for reads. Default: all reads use `url`. */
  readonly readUrl?: Redacted.Redacted<string> | null
  /**
   * Maximum size of the connection pool. The replica has a pool of the same size. A process with workers opens one more
   * connection for `LISTEN`. Default: 10.
   */
  readonly connectionsMax?: number
  /**
   * Whether `url` is that of PgBouncer in transaction mode, where each transaction may use another server connection.
   * If true, the service prepares no statements, and the statement timeout is the one that is set for the database
   * role.
   */
  readonly isPgBouncer?: boolean
  /** Timeout of a statement, which is then cancelled and fails. Default: 30 s. */
  readonly statementTimeoutMs?: number
  /** Maximum time that a query waits for a connection. Default: 5 s. */
  readonly connectTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
/** If the replica provides no connection within this time, reads use the primary database. */
const REPLICA_CONNECT_TIMEOUT_MS = 1_000

/** Idle time of a connection after which TCP probes whether the server still responds. */
const KEEP_ALIVE = Duration.seconds(60)

const noConnection = (timeoutMs: number) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error("Waiting for a connection timed out"),
      message: `No Postgres connection within ${timeoutMs} ms`
    })
  })

/**
 * Commits a transaction. For a failed transaction Postgres responds to COMMIT with ROLLBACK and not with an error, so
 * the result is checked.
 */
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: result,
              message: "Postgres rolled the transaction back at COMMIT, because one of its statements had failed"
            })
          })
        )
      : Effect.void
  )

const clientOf = (acquirers: Pick<SqlClient.SqlClient.MakeOptions, "acquirer" | "transactionAcquirer">) =>
  SqlClient.make({
    ...acquirers,
    compiler: PgClient.makeCompiler(),
    driver: "@effect/sql-pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

/** Creates an effect/sql client on the connections of any pool. Fails if the server can't be reached. */
export const postgresClient = (acquirers: Pick<SqlClient.SqlClient.MakeOptions, "acquirer" | "transactionAcquirer">) =>
  Effect.tap(clientOf(acquirers), (client) => client`SELECT 1`)

/** Creates the connections of the service's own pool, which connects when it is first used. */
const makePool = Effect.fnUntraced(function* (options: PostgresOptions) {
  const {
    connectionsMax = 10,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    isPgBouncer = false,
    statementTimeoutMs = 30_000,
    url
  } = options
  const pool = yield* PgPool.make({
    url,
    types: postgresTypes,
    maxConnections: connectionsMax,
    connectTimeout: connectTimeoutMs,
    keepAlive: KEEP_ALIVE,
    applicationName: "countersign",
    // PgBouncer rejects startup parameters that it does not support, and prepared statements are lost between
    // transactions.
    ...(isPgBouncer ? { prepare: false } : { startupParameters: { statement_timeout: String(statementTimeoutMs) } })
  })
  const withConnectTimeout = Effect.timeoutOrElse({
    duration: connectTimeoutMs,
    orElse: () => Effect.fail(noConnection(connectTimeoutMs))
  })
  return {
    acquirer: Effect.map(withConnectTimeout(pool.get), postgresConnection),
    transactionAcquirer: Effect.map(withConnectTimeout(pool.reserve), postgresConnection)
  }
})

/** An effect/sql client on the service's own pool. */
export const layerPostgresClient = (options: PostgresOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, Effect.flatMap(makePool(options), postgresClient)).pipe(
    Layer.provide(Reactivity.layer)
  )

/**
 * Creates a client for the read replica. It connects when it is first used, so that the service can start without the
 * replica.
 */
export const replicaClient = (options: PostgresOptions & { readonly readUrl: Redacted.Redacted<string> }) =>
  makePool({ ...options, url: options.readUrl, connectTimeoutMs: REPLICA_CONNECT_TIMEOUT_MS }).pipe(
    Effect.flatMap(clientOf),
    Effect.orDie,
    Effect.provide(Reactivity.layer)
  )

/** Receives notifications on a separate connection. */
export const listenOn = ({ connectTimeoutMs = CONNECT_TIMEOUT_MS, url }: PostgresOptions): Listen =>
  Effect.fnUntraced(function* (channel, onListening, onNotification) {
    const connection = yield* PgConnection.make({
      url,
      connectTimeout: connectTimeoutMs,
      keepAlive: KEEP_ALIVE,
      applicationName: "countersign"
    })
    const notifications = yield* connection.listen(channel)
    yield* onListening
    return yield* Effect.forever(Effect.flatMap(Queue.take(notifications), ({ payload }) => onNotification(payload)))
  })
