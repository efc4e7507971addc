import { Clock, DateTime, Effect, Schema } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { columnTypes, type Migration, migrations } from "./migrations/index.ts"

export interface MigrationStatus {
  readonly name: string
  /** Null where it has not run yet. */
  readonly appliedAt: DateTime.Utc | null
}

/** A later version of the service migrated this database; an older one would damage what it does not know. */
export class DatabaseIsNewer extends Schema.TaggedError<DatabaseIsNewer>("adapters/kysely/DatabaseIsNewer")(
  "DATABASE_IS_NEWER",
  { unknown: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `This database was migrated by a later version of Countersign (${this.unknown.join(", ")} is not known here). Run that version, or restore a backup from before it.`
  }
}

/** Any number that no other user of advisory locks in this database takes: the bytes of "csig". */
const ADVISORY_LOCK = 0x63736967

/** Waits for other migrators, for as long as they need. SQLite's transactions exclude one another by themselves. */
const lock = (db: Db["Service"]) =>
  db.dialect === "sqlite"
    ? Effect.void
    : Effect.andThen(
        db.run(sql`set local statement_timeout = 0`),
        db.run(sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`)
      )

const createJournal = (db: Db["Service"]) => {
  const { text, integer } = columnTypes[db.dialect]
  return db.run(
    sql.raw(`create table if not exists schema_migrations (name ${text} primary key, applied_at ${integer} not null)`)
  )
}

const appliedAts = (db: Db["Service"]) =>
  Effect.map(
    db.all(db.query.selectFrom("schema_migrations").selectAll()),
    (rows) => new Map(rows.map((row) => [row.name, DateTime.makeUnsafe(row.applied_at)]))
  )

const apply = Effect.fnUntraced(function* (db: Db["Service"], migration: Migration) {
  for (const statement of migration.statements(columnTypes[db.dialect], db.dialect)) yield* db.run(sql.raw(statement))
  const appliedAt = yield* Clock.currentTimeMillis
  yield* db.run(db.query.insertInto("schema_migrations").values({ name: migration.name, applied_at: appliedAt }))
})

/**
 * Brings the database up to date: all that is missing, or nothing. Answers the names of what it ran. Several processes
 * may call it at once; one of them does the work and the others find it done.
 */
export const migrate = (all: ReadonlyArray<Migration> = migrations) =>
  Effect.gen(function* () {
    const db = yield* Db
    return yield* db.transaction(
      Effect.gen(function* () {
        yield* lock(db)
        yield* createJournal(db)
        const appliedMigrations = yield* appliedAts(db)
        const knownNames = new Set(all.map((migration) => migration.name))
        const unknownNames = [...appliedMigrations.keys()].filter((name) => !knownNames.has(name))
        if (unknownNames.length > 0) return yield* new DatabaseIsNewer({ unknown: unknownNames })
        const missingMigrations = all.filter((migration) => !appliedMigrations.has(migration.name))
        yield* Effect.forEach(missingMigrations, (migration) => apply(db, migration), { discard: true })
        return missingMigrations.map((migration) => migration.name)
      })
    )
  })

/** Every migration that this version knows or this database has seen, in order. Runs none. */
export const migrationStatus = Effect.gen(function* () {
  const db = yield* Db
  const appliedMigrations = yield* db.transaction(
    Effect.andThen(Effect.andThen(lock(db), createJournal(db)), appliedAts(db))
  )
  const names = new Set([...migrations.map((migration) => migration.name), ...appliedMigrations.keys()])
  return [...names].sort().map((name): MigrationStatus => ({ name, appliedAt: appliedMigrations.get(name) ?? null }))
})
