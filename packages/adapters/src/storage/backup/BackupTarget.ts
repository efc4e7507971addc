import type { Effect, Stream } from "effect"
import type { BackupFailed } from "./errors.ts"

/** Where backups and the records of erasures are stored: a folder or an S3 bucket. */
export interface BackupTarget {
  /** Name of the target in messages. */
  readonly location: string
  /** Writes a new object atomically. Returns false, and changes nothing, if an object with this name exists. */
  readonly write: <E>(name: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<boolean, E | BackupFailed>
  readonly read: (name: string) => Stream.Stream<Uint8Array, BackupFailed>
  /** Lists the names with this prefix, sorted. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<string>, BackupFailed>
}
