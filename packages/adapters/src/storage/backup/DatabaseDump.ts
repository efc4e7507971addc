import type { Effect, Redacted, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** The restored database, before the service uses it. */
export type RestoredDatabase =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

/** Writes and restores the content of a database as a stream of bytes. */
export interface DatabaseDump {
  readonly kind: "postgres" | "sqlite"
  /** Reads a consistent snapshot while the service continues to run. */
  readonly read: Stream.Stream<Uint8Array, BackupFailed>
  /**
   * Restores the database and calls `prepare` on it. Fails if the database already has content. A SQLite database gets
   * its final name only afterwards. A Postgres database keeps what was restored if `prepare` fails, and the error
   * states this.
   */
  readonly restore: <E, E2, R>(
    content: Stream.Stream<Uint8Array, E>,
    prepare: (database: RestoredDatabase) => Effect.Effect<void, E2, R>
  ) => Effect.Effect<void, E | E2 | BackupFailed, R>
}
