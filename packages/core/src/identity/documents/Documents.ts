import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The URL and form fields for the upload of one document. All fields are sent before the file, which is in the field
 * `file`.
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

/** Storage for identity documents: photographs and PDF files, each written once. */
export class Documents extends Context.Service<
  Documents,
  {
    /** What the operator has to configure before documents can be stored; null if nothing is missing. */
    readonly problem: string | null
    /** A descriptor that lets its holder write this document until it expires. */
    readonly descriptorOf: (document: {
      readonly key: string
      /** The upload counts against the limits of this project. */
      readonly projectId: ProjectId
      readonly identityId: string
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<UploadDescriptor>
    /** The keys that have a document. */
    readonly present: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, UpstreamUnavailable>
    /** Idempotent: a repeated call removes what remains. */
    readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/Documents") {}
