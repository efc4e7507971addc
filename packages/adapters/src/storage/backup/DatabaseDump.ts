import type { Effect, Redacted, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** The restored database, before it is used. */
export type RestoredDatabase =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

/** Writes and restores the content of a database as a stream of bytes. */
export interface DatabaseDump {
  readonly kind: "postgres" | "sqlite"
  /** A consistent snapshot, taken while the service continues to run. */
  readonly read: Stream.Stream<Uint8Array, BackupFailed>
  /**
   * Creates the database and calls `prepare` on it. A SQLite database gets its final name only after that. A Postgres database exists
   * before, and a failure says so. Fails if a database exists.
   */
  readonly restore: <E, E2, R>(
    content: Stream.Stream<Uint8Array, E>,
    prepare: (database: RestoredDatabase) => Effect.Effect<void, E2, R>
  ) => Effect.Effect<void, E | E2 | BackupFailed, R>
}
