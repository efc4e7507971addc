import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Effect } from "effect"
import type { DocumentExists } from "./documentErrors.ts"

/** A file whose content is sealed already. */
export interface SealedFile {
  readonly path: string
  readonly bytes: number
  /** Of the sealed content, in hex. */
  readonly sha256: string
}

/** Where sealed documents are. A key is ids and words of ours with slashes between. */
export interface DocumentStore {
  readonly has: (key: string) => Effect.Effect<boolean, UpstreamUnavailable>
  /** Writes a document once: of any number of callers one succeeds. */
  readonly put: (key: string, file: SealedFile) => Effect.Effect<void, DocumentExists | UpstreamUnavailable>
  /** Null where it is not there. */
  readonly read: (key: string) => Effect.Effect<Uint8Array | null, UpstreamUnavailable>
  /** Again, or where it is not there: no change. */
  readonly remove: (key: string) => Effect.Effect<void, UpstreamUnavailable>
}
