import { Context, type DateTime, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/** Where and how one document is uploaded. Fields are sent first, all of them; the file last, in the field `file`. */
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

/** Documents of people: photographs and PDF files, each written once. */
export class Documents extends Context.Service<
  Documents,
  {
    /** What the operator has to do before documents can be kept; null where nothing is missing. */
    readonly problem: string | null
    /** A descriptor with which anybody who has it can write this document until then. */
    readonly descriptorOf: (document: {
      readonly key: string
      /** The upload counts against the limits of this project. */
      readonly projectId: ProjectId
      readonly identityId: string
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<UploadDescriptor>
    /** The keys of those that are there. */
    readonly present: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, UpstreamUnavailable>
    /** Again: removes what is left. */
    readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/Documents") {}
