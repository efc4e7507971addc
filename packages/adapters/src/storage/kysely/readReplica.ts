import { Clock, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** A read waits for at most 200 ms until the replica has replayed all earlier commits. */
const CHECKS_MAX = 40
const CHECK_SECONDS = 0.005
/** Reads don't try the replica for this time after it was behind or failed. */
const PAUSE_MS = 1_000

/** A query of which the client that runs it is chosen. */
export type Read<A> = (client: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>

const SERVER =
  "select (select system_identifier from pg_control_system())::text || ' ' || current_database() as database"
/** How far a replica is behind its primary database. */
export interface ReplicaState {
  readonly isSameDatabase: boolean
  /** Bytes of the write-ahead log that are not replayed. Null on a server that is no replica. */
  readonly behindBytes: number | null
}

const COMMITTED = "select pg_current_wal_insert_lsn()::text as position"
/** False on a server that is no replica. The server waits before it checks. */
const REPLAYED =
  "select (pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn)::text as has_replayed from pg_sleep($2::float8)"

const databaseOf = (client: SqlClient.SqlClient) =>
  Effect.map(client.unsafe<{ readonly database: string }>(SERVER).unprepared, ([row]) => row?.database)

export const replicaState = Effect.fnUntraced(function* (primary: SqlClient.SqlClient, replica: SqlClient.SqlClient) {
  const isSameDatabase = (yield* databaseOf(primary)) === (yield* databaseOf(replica))
  const [committed] = yield* primary.unsafe<{ readonly position: string }>(COMMITTED)
  const [replayed] = yield* replica.unsafe<{ readonly behind: number | null }>(
    "select case when pg_is_in_recovery() then greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::int8 end as behind",
    [committed!.position]
  )
  const state: ReplicaState = { isSameDatabase, behindBytes: replayed!.behind }
  return state
})

/**
 * Runs reads on a streaming replica once it has replayed what the primary database had written when the read began, so
 * that a read returns everything that any process committed before. A read uses the primary database while the replica
 * is more than 200 ms behind, fails, or is no replica of the database.
 */
export const replicaReads = (primary: SqlClient.SqlClient, replica: SqlClient.SqlClient) => {
  let isSameDatabase = false
  let pausedUntilMs = 0
  let isPaused = false

  const requireSameDatabase = Effect.gen(function* () {
    if (!isSameDatabase) isSameDatabase = (yield* databaseOf(primary)) === (yield* databaseOf(replica))
    return isSameDatabase
  })

  const catchUp = Effect.gen(function* () {
    const [committed] = yield* primary.unsafe<{ readonly position: string }>(COMMITTED)
    for (let check = 0; check < CHECKS_MAX; check++) {
      const wait = check === 0 ? 0 : CHECK_SECONDS
      const [state] = yield* replica.unsafe<{ readonly has_replayed: string }>(REPLAYED, [committed!.position, wait])
      if (state!.has_replayed === "true") return true
    }
    return false
  })

  const pause = Effect.fnUntraced(function* (reason: string) {
    pausedUntilMs = (yield* Clock.currentTimeMillis) + PAUSE_MS
    if (!isPaused) yield* Effect.logWarning(`Reads use the primary database: ${reason}`)
    isPaused = true
  })

  return Effect.fnUntraced(function* <A>(read: Read<A>) {
    if ((yield* Clock.currentTimeMillis) < pausedUntilMs) return yield* read(primary)
    const onReplica = Effect.gen(function* () {
      if (!(yield* requireSameDatabase)) return yield* pause("DATABASE_READ_URL is another database than DATABASE_URL.")
      if (!(yield* catchUp)) return yield* pause("the replica is behind, or DATABASE_READ_URL is no replica.")
      const value = yield* read(replica)
      if (isPaused) yield* Effect.logInfo("Reads use the replica.")
      isPaused = false
      return { value }
    })
    const result = yield* Effect.catch(onReplica, () => pause("the replica failed."))
    return result === undefined ? yield* read(primary) : result.value
  })
}
