import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { DatabaseProbe, DatabaseUnusable } from "@countersign/core/foundation/readiness"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { databaseFailure } from "./databaseFailure.ts"
import { migrations } from "./migrations/index.ts"

/** Minimum free disk space for a SQLite database, in bytes. If less is free, writes will soon fail. */
const FREE_BYTES_MIN = 1024 * 1024

const hasFreeSpace = async (file: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(dirname(file))
  return bavail * bsize >= FREE_BYTES_MIN
}

/**
 * Probes the database by rewriting an existing row unchanged, because only a write shows whether the database is
 * writable.
 */
export const layer = Layer.effect(
  DatabaseProbe,
  Effect.gen(function* () {
    const db = yield* Db

    const store = db.run(
      db.query
        .updateTable("schema_migrations")
        .set((row) => ({ applied_at: row.ref("applied_at") }))
        .where("name", "=", migrations[0]!.name)
    )

    const requireFreeSpace = Effect.gen(function* () {
      if (db.dialect !== "sqlite") return
      const [main] = yield* db.all(sql<{ file: string }>`select file from pragma_database_list where name = 'main'`)
      // An in-memory database has no file.
      const file = main?.file ?? ""
      if (file === "" || (yield* Effect.promise(() => hasFreeSpace(file)))) return
      return yield* new DatabaseUnusable({ reason: "has no space left: its disk is full" })
    })

    return DatabaseProbe.of({
      write: Effect.andThen(store, requireFreeSpace).pipe(
        Effect.catchDefect((defect) => Effect.fail(new DatabaseUnusable({ reason: databaseFailure(defect) })))
      )
    })
  })
)
