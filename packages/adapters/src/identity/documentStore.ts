import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Effect } from "effect"
import type { DocumentExists } from "./documentErrors.ts"

/** A file with encrypted content. */
export interface SealedFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 hash of the encrypted content, in hexadecimal. */
  readonly sha256: string
}

/** Stores encrypted documents. A key consists of ids and constants, separated by slashes. */
export interface DocumentStore {
  readonly has: (key: string) => Effect.Effect<boolean, UpstreamUnavailable>
  /** Writes a document once. If several callers write concurrently, only one succeeds. */
  readonly put: (key: string, file: SealedFile) => Effect.Effect<void, DocumentExists | UpstreamUnavailable>
  /** Reads a document; null if it does not exist. */
  readonly read: (key: string) => Effect.Effect<Uint8Array | null, UpstreamUnavailable>
  /** Removes a document. Idempotent. */
  readonly remove: (key: string) => Effect.Effect<void, UpstreamUnavailable>
}
