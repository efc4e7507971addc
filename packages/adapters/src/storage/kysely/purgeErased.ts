import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect, Option, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

const PAUSE_SECONDS = 0.05
const PAUSE = `${PAUSE_SECONDS * 1_000} millis` as const
const ATTEMPTS = 200

/** Number of keys that one transaction moves. It takes a few milliseconds on SQLite, which blocks the process. */
const SLICE = 500
/** Pause between two transactions, so that other work can use the database. */
const SLICE_PAUSE = "5 millis"

/** Id of the only row of `pending_key_purges`. */
const ROW = 1

/** Direction in which keys are moved: to the other table, or back. */
type PurgePass = "BACK" | "NONE" | "OUT"

const KEYS = sql.table("subject_keys")
const MOVED_KEYS = sql.table("moved_subject_keys")

const purgeFailure = (reason: string) => new UpstreamUnavailable({ upstream: "The database", reason })

/**
 * Records an erasure in its transaction, so that an interrupted purge is repeated later. A new row starts the count at
 * the current time in milliseconds. So its count is higher than that of an earlier row, and a purge that still runs for
 * the earlier row does not delete the new one.
 */
export const recordErasure = (db: Db["Service"]) =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
    db.run(
      db.query
        .insertInto("pending_key_purges")
        .values({ id: ROW, erasures: nowMs, covered: 0, pass: "NONE" satisfies PurgePass })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ erasures: sql`pending_key_purges.erasures + 1` }))
    )
  )

const readPendingPurge = (db: Db["Service"]) =>
  Effect.map(
    db.first(db.query.selectFrom("pending_key_purges").select(["erasures", "covered", "pass"])),
    Option.getOrNull
  )

const setPass = (db: Db["Service"], pass: PurgePass, covered: number) =>
  db.run(
    db.query
      .updateTable("pending_key_purges")
      .set({ pass, covered })
      .where(({ and }) => and({ id: ROW }))
  )

/**
 * Moves some keys in the current direction, which all purges of this database share. Purges in opposite directions
 * would never end. Returns false once these erasures are purged.
 */
const moveSlice = (db: Db["Service"], erasures: number) =>
  db.transaction(
    Effect.gen(function* () {
      const pending = yield* readPendingPurge(db)
      // Another purge has completed and removed the row.
      if (pending === null || pending.erasures < erasures) return false
      if (pending.pass === "NONE") {
        if (pending.covered >= erasures) return false
        yield* setPass(db, "OUT", pending.erasures)
        return true
      }
      const isOut = pending.pass === "OUT"
      const [source, target] = isOut ? [KEYS, MOVED_KEYS] : [MOVED_KEYS, KEYS]
      const ids = yield* db.all<{ readonly id: string }>(sql`select id from ${source} order by id limit ${SLICE}`)
      const lastId = ids.at(-1)?.id
      if (lastId === undefined) {
        // A delete without a condition also clears the first page of the table.
        yield* db.run(sql`delete from ${source}`)
        yield* setPass(db, isOut ? "BACK" : "NONE", pending.covered)
        return true
      }
      yield* db.run(sql`insert into ${target} select id, secrets from ${source} where id <= ${lastId}`)
      yield* db.run(sql`delete from ${source} where id <= ${lastId}`)
      return true
    })
  )

/**
 * Rewrites all keys. When SQLite moves rows between pages, it leaves copies in unused bytes of pages. So all keys are
 * moved out of each table in turn: once a table is empty, SQLite has overwritten its pages with zeros
 * (`secure_delete`). If the purge is interrupted, both tables contain keys, and reads combine them.
 */
const rewriteKeys = Effect.fnUntraced(function* (db: Db["Service"], erasures: number) {
  while (yield* moveSlice(db, erasures)) yield* Effect.sleep(SLICE_PAUSE)
})

/**
 * Moves the write-ahead log into the database and truncates it. Waits for readers and writers, also in other processes.
 */
const truncateLog = (db: Db["Service"]) =>
  db.all<{ readonly busy: number }>(sql.raw("pragma wal_checkpoint(truncate)")).pipe(
    Effect.flatMap(([row]) =>
      row?.busy === 1
        ? Effect.fail(
            purgeFailure("another process reads or writes it, so its write-ahead log still contains the erased keys")
          )
        : Effect.void
    ),
    Effect.retry(Schedule.spaced(PAUSE).pipe(Schedule.upTo({ times: ATTEMPTS })))
  )

/**
 * Waits until no transaction or snapshot is older than this call, because VACUUM keeps rows that such a snapshot can
 * read. Fails if one remains open. An open transaction of any database makes each new snapshot of this database as old
 * as itself. The server waits between two checks.
 */
const awaitOlderSnapshots = Effect.fnUntraced(function* (db: Db["Service"]) {
  const [now] = yield* db.all<{ readonly id: string }>(sql`select pg_current_xact_id()::xid::text as id`)
  const isOlder = (xid: string) => sql`age(${sql.ref(xid)}) >= age(${now!.id}::xid)`
  for (let check = 0; check < ATTEMPTS; check++) {
    // Snapshots of other databases do not matter, but their transactions do. A replica's snapshot belongs to no
    // database.
    const olderTransactions = yield* db.all(sql`
      select pid from pg_stat_activity, pg_sleep(${check === 0 ? 0 : PAUSE_SECONDS}) where pid <> pg_backend_pid()
        and (${isOlder("backend_xid")}
          or coalesce(datname, current_database()) = current_database() and ${isOlder("backend_xmin")})
      union all select active_pid from pg_replication_slots where ${isOlder("xmin")}
      union all select null from pg_prepared_xacts where ${isOlder("transaction")}`)
    if (olderTransactions.length === 0) return
  }
  return yield* purgeFailure(
    "a transaction from before the erasure is still open, so VACUUM would keep the erased keys"
  )
})

/**
 * Removes old versions of rows, which Postgres keeps in the table's files until VACUUM. FULL writes a new file. It is
 * used only for the table of keys, because it locks the table, and encrypted data can't be read during this time.
 * Write-ahead log, replicas and backups keep their copies.
 */
const vacuum = (db: Db["Service"]) =>
  Effect.all(
    [
      awaitOlderSnapshots(db),
      db.run(sql.raw("vacuum (full) subject_keys")),
      db.run(sql.raw("vacuum verification_sessions"))
    ],
    { discard: true }
  ).pipe(
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect)
        ? Effect.fail(purgeFailure("VACUUM did not run, so its files still contain the erased keys"))
        : Effect.die(defect)
    )
  )

/**
 * Removes destroyed keys from the database files, if any were destroyed since the last purge. Must not run in a
 * transaction.
 */
export const purgeErased = (db: Db["Service"]): Effect.Effect<void, UpstreamUnavailable> =>
  Effect.gen(function* () {
    const pending = yield* readPendingPurge(db)
    if (pending === null) return
    yield* db.dialect === "sqlite" ? Effect.andThen(rewriteKeys(db, pending.erasures), truncateLog(db)) : vacuum(db)
    // A concurrent erasure is purged by its own caller or by the next purge.
    yield* db.run(
      db.query.deleteFrom("pending_key_purges").where(({ and }) => and({ id: ROW, erasures: pending.erasures }))
    )
  })
