import { Effect, Redacted } from "effect"
import pg from "pg"

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`; what pg takes in a connection string. */
  readonly url: Redacted.Redacted<string>
  /** Connections of this process. */
  readonly connectionsMax?: number
  /** A statement that takes longer is cancelled and fails. */
  readonly statementTimeoutMs?: number
  /** A query that gets no connection for so long fails. */
  readonly connectTimeoutMs?: number
}

const INT8 = 20
const JSON_TYPE = 114
const JSONB = 3802
const TIMESTAMPTZ = 1184

/** The JavaScript types that SQLite gives: numbers for integers (bigint past 2^53), text for JSON and instants. */
const parserOf = (type: number): ((text: string) => unknown) => {
  switch (type) {
    case INT8:
      return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text))
    case TIMESTAMPTZ:
      return (text) => new Date(text).toISOString()
    case JSON_TYPE:
    case JSONB:
      return (text) => text
    default:
      return pg.types.getTypeParser(type)
  }
}

/** Connections that are opened as they are needed, and replaced when they are lost. Ended with the scope. */
export const acquirePool = (options: PostgresOptions) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const log = Effect.runForkWith(yield* Effect.context<never>())
      const pool = new pg.Pool({
        connectionString: Redacted.value(options.url),
        max: options.connectionsMax ?? 10,
        connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
        statement_timeout: options.statementTimeoutMs ?? 30_000,
        keepAlive: true,
        application_name: "countersign",
        types: { getTypeParser: parserOf }
      })
      // Without a listener the loss of an idle connection would end the process.
      pool.on("error", (error) => log(Effect.logWarning("Lost an idle Postgres connection", error.message)))
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )
