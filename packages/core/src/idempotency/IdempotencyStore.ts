import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId, Scope } from "../projects/index.ts"

/** An answer to be given again. */
export interface StoredAnswer {
  /** In the words of the shell that gave it; nothing here looks into it. */
  readonly text: string
  /** What a caller must be allowed to do to be given it; null where any may have it. */
  readonly scope: Scope | null
}

export interface IdempotentRequest {
  readonly projectId: ProjectId
  /** As the client gave it. */
  readonly key: string
  /** Of all that makes a request what it is: tells the same one from another one under the same key. */
  readonly fingerprint: string
}

export type Admission =
  /** Nobody has used the key: answer the request, then `finish` or `abandon`. */
  | { readonly _tag: "First" }
  /** The same request is being answered, here or in another process. */
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  /** The key was used for another request. */
  | { readonly _tag: "Reused" }

/** Remembers which requests were answered, and how. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Of any number of callers, here or elsewhere, one gets First, until `lockedUntil`: then its process is taken for
     * dead, and another may answer. Entries older than `forgetBefore` count as not there.
     */
    readonly admit: (
      request: IdempotentRequest,
      times: { readonly now: DateTime.Utc; readonly lockedUntil: DateTime.Utc; readonly forgetBefore: DateTime.Utc }
    ) => Effect.Effect<Admission>
    readonly finish: (request: IdempotentRequest, answer: StoredAnswer) => Effect.Effect<void>
    /** Lets the next attempt be the first again: there was no answer worth keeping. */
    readonly abandon: (request: IdempotentRequest) => Effect.Effect<void>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}
