import { Clock, Effect, Fiber } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Maximum number of checks whether the replica has replayed all earlier commits. They take at most 200 ms. */
const CHECKS_MAX = 40
const CHECK_SECONDS = 0.005
/** Time in milliseconds for which reads do not use the replica after it was behind or failed. */
const PAUSE_MS = 1_000
/** Timeout in milliseconds of these checks, for a replica that does not respond. */
const CATCH_UP_MS = 1_000
/** Timeout in milliseconds of a read on the replica, which then runs again on the primary database. */
const READ_MS = 5_000

/** A query that can run on either client. */
export type ReadQuery<A> = (client: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>

/** How far a replica is behind its primary database. */
export interface ReplicaState {
  readonly isSameDatabase: boolean
  /** Bytes of the write-ahead log that are not replayed yet. Null on a server that does not replicate this database. */
  readonly behindBytes: number | null
}

const DATABASE = "(select system_identifier from pg_control_system())::text || ' ' || current_database()"

/**
 * Reads the write-ahead log of the primary database: its position, and its timeline, which each failover increments.
 */
const WRITTEN = `select ${DATABASE} as database, position::text, left(pg_walfile_name(position), 8) as timeline
  from pg_current_wal_insert_lsn() as position`

interface WrittenPosition {
  readonly database: string
  readonly position: string
  readonly timeline: string
}

/**
 * Whether the replica is on the same timeline, because positions of different timelines can't be compared: a replica
 * that did not follow a failover may be ahead of the new primary database without having its commits. A replica stores
 * a new timeline at its next restart point at the latest.
 */
const IS_FOLLOWING = `(pg_is_in_recovery()
  and (select upper(lpad(to_hex(min_recovery_end_timeline), 8, '0')) from pg_control_recovery()) = $2)`

const REPLICA_LAG_QUERY = `select ${DATABASE} as database, case when ${IS_FOLLOWING}
  then greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::int8 end as behind`

/** The server waits before it checks. */
const REPLAYED = `select ${DATABASE} as database,
  (${IS_FOLLOWING} and pg_last_wal_replay_lsn() >= $1::pg_lsn)::text as has_replayed from pg_sleep($3::float8)`

const writtenPositionOf = (primary: SqlClient.SqlClient) =>
  Effect.map(primary.unsafe<WrittenPosition>(WRITTEN), ([writtenPosition]) => writtenPosition!)

export const replicaState = Effect.fnUntraced(function* (primary: SqlClient.SqlClient, replica: SqlClient.SqlClient) {
  const { database, position, timeline } = yield* writtenPositionOf(primary)
  const [row] = yield* replica.unsafe<{ readonly database: string; readonly behind: number | null }>(
    REPLICA_LAG_QUERY,
    [position, timeline]
  )
  const state: ReplicaState = { isSameDatabase: row!.database === database, behindBytes: row!.behind }
  return state
})

/**
 * Limits the duration of an effect. Does not wait for the cancellation of a statement, which a replica that does not
 * respond would delay.
 */
const runWithTimeout = Effect.fnUntraced(function* <A, E>(durationMs: number, effect: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkDetach(effect)
  return yield* Fiber.join(fiber).pipe(
    Effect.timeout(durationMs),
    Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
  )
})

/**
 * Runs reads on a streaming replica once it has replayed what the primary database had written when the read started.
 * So a read returns everything that any process committed before. A read uses the primary database if the replica is
 * more than 200 ms behind, fails, or does not replicate this database, and for a second afterwards.
 */
export const replicaReads = (primary: SqlClient.SqlClient, replica: SqlClient.SqlClient) => {
  let pausedUntilMs = 0
  let isPaused = false

  /** Waits for the replica. Returns null once it has caught up, otherwise why it can't be used. */
  const catchUp = Effect.gen(function* () {
    const { database, position, timeline } = yield* writtenPositionOf(primary)
    for (let check = 0; check < CHECKS_MAX; check++) {
      const wait = check === 0 ? 0 : CHECK_SECONDS
      const [state] = yield* replica.unsafe<{ readonly database: string; readonly has_replayed: string }>(REPLAYED, [
        position,
        timeline,
        wait
      ])
      if (state!.database !== database) return "DATABASE_READ_URL is another database than DATABASE_URL."
      if (state!.has_replayed === "true") return null
    }
    return "the replica is behind, or DATABASE_READ_URL is not a replica."
  })

  const pause = Effect.fnUntraced(function* (reason: string) {
    pausedUntilMs = (yield* Clock.currentTimeMillis) + PAUSE_MS
    if (!isPaused) yield* Effect.logWarning(`Reads use the primary database: ${reason}`)
    isPaused = true
  })

  return Effect.fnUntraced(function* <A>(read: ReadQuery<A>) {
    if ((yield* Clock.currentTimeMillis) < pausedUntilMs) return yield* read(primary)
    const readOnReplica = Effect.gen(function* () {
      const reason = yield* runWithTimeout(CATCH_UP_MS, catchUp)
      if (reason !== null) return yield* pause(reason)
      const value = yield* runWithTimeout(READ_MS, read(replica))
      if (isPaused) yield* Effect.logInfo("Reads use the replica.")
      isPaused = false
      return { value }
    })
    const result = yield* Effect.catch(readOnReplica, () => pause("the replica failed."))
    return result === undefined ? yield* read(primary) : result.value
  })
}
