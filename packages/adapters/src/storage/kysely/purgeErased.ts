import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, Option, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

const PAUSE = "50 millis"
const ATTEMPTS = 200

/** Keys that one transaction moves: a few milliseconds of SQLite, which blocks the process. */
const SLICE = 500
/** Between two slices, so that others can use the database. */
const SLICE_PAUSE = "5 millis"

/** `pending_key_purges` has this row only. */
const ROW = 1

/** Where the keys are moved: to the other table, or back. */
type Pass = "BACK" | "NONE" | "OUT"

const KEYS = sql.table("subject_keys")
const MOVED_KEYS = sql.table("moved_subject_keys")

const notPurged = (reason: string) => new UpstreamUnavailable({ upstream: "The database", reason })

/** In the transaction of the erasure, so that a purge that does not happen now happens later. */
export const recordErasure = (db: Db["Service"]) =>
  db.run(
    db.query
      .insertInto("pending_key_purges")
      .values({ id: ROW, erasures: 1, covered: 0, pass: "NONE" satisfies Pass })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ erasures: sql`pending_key_purges.erasures + 1` }))
  )

const pendingPurge = (db: Db["Service"]) =>
  Effect.map(
    db.first(db.query.selectFrom("pending_key_purges").select(["erasures", "covered", "pass"])),
    Option.getOrNull
  )

const setPass = (db: Db["Service"], pass: Pass, covered: number) =>
  db.run(
    db.query
      .updateTable("pending_key_purges")
      .set({ pass, covered })
      .where(({ and }) => and({ id: ROW }))
  )

/**
 * Moves a slice of the keys in the direction of the pass, which all purges of this database share: purges that moved keys in opposite
 * directions would never end. False once these erasures are purged.
 */
const moveSlice = (db: Db["Service"], erasures: number) =>
  db.transaction(
    Effect.gen(function* () {
      const pending = yield* pendingPurge(db)
      // Another purge has completed the row, which counts from the start then.
      if (pending === null || pending.erasures < erasures) return false
      if (pending.pass === "NONE") {
        if (pending.covered >= erasures) return false
        yield* setPass(db, "OUT", pending.erasures)
        return true
      }
      const isOut = pending.pass === "OUT"
      const [source, target] = isOut ? [KEYS, MOVED_KEYS] : [MOVED_KEYS, KEYS]
      const ids = yield* db.all<{ readonly id: string }>(sql`select id from ${source} order by id limit ${SLICE}`)
      const last = ids.at(-1)?.id
      if (last === undefined) {
        // Without a condition it clears the first page of the table too.
        yield* db.run(sql`delete from ${source}`)
        yield* setPass(db, isOut ? "BACK" : "NONE", pending.covered)
        return true
      }
      yield* db.run(sql`insert into ${target} select id, secrets from ${source} where id <= ${last}`)
      yield* db.run(sql`delete from ${source} where id <= ${last}`)
      return true
    })
  )

/**
 * SQLite leaves copies of rows in unused parts of pages when it moves rows between pages. So all keys leave both tables, one after the
 * other, in slices: once a table is empty, SQLite has overwritten its pages with zeros (`secure_delete`). A purge that is interrupted
 * leaves keys in both tables, which are read as one.
 */
const rewrite = Effect.fnUntraced(function* (db: Db["Service"], erasures: number) {
  while (yield* moveSlice(db, erasures)) yield* Effect.sleep(SLICE_PAUSE)
})

/** Moves the write-ahead log into the database and empties it. Waits for readers and writers, of other processes too. */
const truncateLog = (db: Db["Service"]) =>
  db.all<{ readonly busy: number }>(sql.raw("pragma wal_checkpoint(truncate)")).pipe(
    Effect.flatMap(([row]) =>
      row?.busy === 1
        ? Effect.fail(notPurged("another process reads or writes it, so its write-ahead log still has the erased keys"))
        : Effect.void
    ),
    Effect.retry(Schedule.spaced(PAUSE).pipe(Schedule.upTo({ times: ATTEMPTS })))
  )

/**
 * Postgres keeps old versions of rows in the table's files until VACUUM. FULL writes a new file, and is for the table of keys only:
 * it locks the table, and what the keys sealed can't be read without them. Its write-ahead log, replicas and backups keep what they have.
 */
const vacuum = (db: Db["Service"]) =>
  Effect.andThen(db.run(sql.raw("vacuum (full) subject_keys")), db.run(sql.raw("vacuum verification_sessions"))).pipe(
    Effect.catchDefect((defect) =>
      SqlError.isSqlError(defect)
        ? Effect.fail(notPurged("VACUUM did not run, so its files still have the erased keys"))
        : Effect.die(defect)
    )
  )

/** Removes erased keys from the files of the database, if any were erased since the last time. Outside of a transaction. */
export const purgeErased = (db: Db["Service"]): Effect.Effect<void, UpstreamUnavailable> =>
  Effect.gen(function* () {
    const pending = yield* pendingPurge(db)
    if (pending === null) return
    yield* db.dialect === "sqlite" ? Effect.andThen(rewrite(db, pending.erasures), truncateLog(db)) : vacuum(db)
    // An erasure that came meanwhile is purged by its own caller, or by the next purge.
    yield* db.run(
      db.query.deleteFrom("pending_key_purges").where(({ and }) => and({ id: ROW, erasures: pending.erasures }))
    )
  })
