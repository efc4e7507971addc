import type { Effect, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** Where backups and the records of erasures are: a folder, or a bucket of S3. */
export interface BackupTarget {
  /** For messages. */
  readonly place: string
  /**
   * Writes a new object, whole or not at all; objects of that name and of others stay as they are. False where there is one of
   * that name.
   */
  readonly write: <E>(name: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<boolean, E | BackupFailed>
  readonly read: (name: string) => Stream.Stream<Uint8Array, BackupFailed>
  /** The names that begin with this, sorted. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<string>, BackupFailed>
}
