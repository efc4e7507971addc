import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The URL and the form fields for the upload of one document. The field `file`, which contains the document, must come
 * after all of these fields.
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

/** Stores identity documents: photographs and PDF files. Each document is written only once. */
export class Documents extends Context.Service<
  Documents,
  {
    /** The missing configuration without which documents can't be stored. Null if the configuration is complete. */
    readonly problem: string | null
    /** Creates a descriptor that allows its holder to write this document, until the descriptor expires. */
    readonly descriptorOf: (document: {
      readonly key: string
      /** The project whose upload limits apply. */
      readonly projectId: ProjectId
      readonly identityId: string
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<UploadDescriptor>
    /** Returns the keys for which a document is stored. */
    readonly existingKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, UpstreamUnavailable>
    /** Deletes documents. After an interruption, a repeated call deletes the remaining ones. */
    readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/Documents") {}
