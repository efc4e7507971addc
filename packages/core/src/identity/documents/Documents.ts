import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The URL and the form fields for the upload of one document. The field `file`, with the document, comes after all of
 * these fields.
 */
export interface UploadDescriptor {
  readonly url: string
  readonly fields: {
    readonly bucket: string
    readonly key: string
    readonly Policy: string
    readonly "X-Upload-Algorithm": string
    readonly "X-Upload-Credential": string
    readonly "X-Upload-Date": string
    readonly "X-Upload-Signature": string
  }
}

/** Storage of identity documents: photographs and PDF files. Each document is written only once. */
export class Documents extends Context.Service<
  Documents,
  {
    /** The missing configuration without which documents can't be stored; null if it is complete. */
    readonly problem: string | null
    /** A descriptor that allows its holder to write this document until the descriptor expires. */
    readonly descriptorOf: (document: {
      readonly key: string
      /** The project whose limits the upload counts against. */
      readonly projectId: ProjectId
      readonly identityId: string
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<UploadDescriptor>
    /** The subset of keys for which a document is stored. */
    readonly present: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, UpstreamUnavailable>
    /** Idempotent. A repeated call removes the remaining documents. */
    readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/Documents") {}
