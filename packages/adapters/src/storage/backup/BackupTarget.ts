import type { Effect, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** The storage of backups and of the records of erasures: a folder or an S3 bucket. */
export interface BackupTarget {
  /** The name in messages. */
  readonly place: string
  /**
   * Writes a new object atomically. Existing objects do not change. False if there is an object with this name.
   */
  readonly write: <E>(name: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<boolean, E | BackupFailed>
  readonly read: (name: string) => Stream.Stream<Uint8Array, BackupFailed>
  /** The names with this prefix, sorted. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<string>, BackupFailed>
}
