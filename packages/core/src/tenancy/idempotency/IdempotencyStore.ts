import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId, Scope } from "../projects/index.ts"

/** A stored response, for repeats of the request. */
export interface StoredAnswer {
  /** In a format that only the shell which wrote it reads. */
  readonly text: string
  /** The scope that a caller needs to get the response; null if none is needed. */
  readonly scope: Scope | null
}

export interface IdempotentRequest {
  readonly projectId: ProjectId
  /** As the client sent it. */
  readonly key: string
  /** A hash of the whole request, to detect another request with the same key. */
  readonly fingerprint: string
}

export type Admission =
  /** The key is unused: answer the request, then `finish` or `abandon`. */
  | { readonly _tag: "First" }
  /** The same request is being answered, here or in another process. */
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly answer: StoredAnswer }
  /** The key was used for another request. */
  | { readonly _tag: "Reused" }

/** Stores the answers to requests under their idempotency keys. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Only one caller of all processes gets First, until `lockedUntil`: then its process counts as dead, and
     * another caller gets First. Entries older than `forgetBefore` are ignored.
     */
    readonly admit: (
      request: IdempotentRequest,
      times: { readonly now: DateTime.Utc; readonly lockedUntil: DateTime.Utc; readonly forgetBefore: DateTime.Utc }
    ) => Effect.Effect<Admission>
    /** Extends the lock, while the first caller computes its response. No effect once another caller has taken over. */
    readonly renew: (
      request: IdempotentRequest,
      times: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
    ) => Effect.Effect<void>
    readonly finish: (request: IdempotentRequest, answer: StoredAnswer) => Effect.Effect<void>
    /** Gives up the first caller's lock without a response, so that the next caller gets First. */
    readonly abandon: (request: IdempotentRequest) => Effect.Effect<void>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}
