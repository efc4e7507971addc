import type { Effect, Redacted, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** A database to prepare after it was restored. */
export type RestoredDatabase =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

/** The content of a database as one stream of bytes. */
export interface DatabaseDump {
  readonly kind: "postgres" | "sqlite"
  /** Of one instant, while the service works on. */
  readonly read: Stream.Stream<Uint8Array, BackupFailed>
  /**
   * Makes the database, and prepares it. A SQLite database is in its place only after that. A Postgres database is there before, and a
   * failure says so. Fails where there is a database.
   */
  readonly restore: <E, E2, R>(
    content: Stream.Stream<Uint8Array, E>,
    prepare: (database: RestoredDatabase) => Effect.Effect<void, E2, R>
  ) => Effect.Effect<void, E | E2 | BackupFailed, R>
}
