import { UpstreamUnavailable } from "@countersign/core/errors"
import { Effect, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { sql } from "kysely"
import type { Db } from "./Db.ts"

/** Tables with keys of identities, and with what these keys seal. With each the tables whose rows are deleted along with its rows. */
export const ERASED_FROM: Readonly<Record<string, ReadonlyArray<string>>> = {
  subject_keys: [],
  verification_sessions: ["verification_part_reviews"]
}

const PAUSE = "50 millis"
const ATTEMPTS = 200

const notPurged = (reason: string) => new UpstreamUnavailable({ upstream: "The database", reason })

/**
 * SQLite leaves copies of rows in unused parts of pages when it moves rows between pages. Emptying a table overwrites its pages
 * with zeros (`secure_delete`).
 */
const rewrite = (db: Db["Service"]) =>
  db.transaction(
    Effect.forEach(
      Object.entries(ERASED_FROM),
      ([table, dependents]) =>
        Effect.forEach(
          [
            ...[table, ...dependents].map((each) => `create table purged_${each} as select * from ${each}`),
            `delete from ${table}`,
            ...[table, ...dependents].map((each) => `insert into ${each} select * from purged_${each}`),
            ...[table, ...dependents].map((each) => `drop table purged_${each}`)
          ],
          (statement) => db.run(sql.raw(statement))
        ),
      { discard: true }
    )
  )

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
 * Postgres keeps old versions of rows in the table's files until VACUUM. FULL writes a new file, and is for the table of keys alone:
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

/** Removes erased keys, and what they sealed, from the files of the database. Outside of a transaction. */
export const purgeErased = (db: Db["Service"]): Effect.Effect<void, UpstreamUnavailable> =>
  Effect.suspend(() =>
    db.dialect === "sqlite" ? Effect.andThen(rewrite(db), truncateLog(db)) : Effect.asVoid(vacuum(db))
  )
