import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId, Scope } from "../projects/index.ts"

/** A stored response for repeated requests. */
export interface StoredResponse {
  /** Only the interface that wrote the text can read it. */
  readonly text: string
  /** The scope that a caller needs to get the response. Null if no scope is needed. */
  readonly scope: Scope | null
}

export interface IdempotentRequest {
  readonly projectId: ProjectId
  /** The idempotency key in the client's request. */
  readonly key: string
  /** A hash of the complete request, which shows whether a different request uses the same key. */
  readonly fingerprint: string
}

export type Admission =
  /** The key is unused. The caller must run the request, and then call `finish` or `abandon`. */
  | { readonly _tag: "First" }
  /** The same request is running, in this or another process. */
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly response: StoredResponse }
  /** The key was used for a different request. */
  | { readonly _tag: "Reused" }

/** Stores the responses to requests, by their idempotency keys. */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Registers a request. Only one caller in all processes gets `First`. After `lockedUntil`, the caller's process is
     * treated as dead, and another caller gets `First`. Entries older than `deleteBefore` are ignored.
     */
    readonly admit: (
      request: IdempotentRequest,
      times: { readonly now: DateTime.Utc; readonly lockedUntil: DateTime.Utc; readonly deleteBefore: DateTime.Utc }
    ) => Effect.Effect<Admission>
    /** Extends the lock while the first caller runs the request. Does nothing if another caller has the lock. */
    readonly renew: (
      request: IdempotentRequest,
      times: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
    ) => Effect.Effect<void>
    readonly finish: (request: IdempotentRequest, response: StoredResponse) => Effect.Effect<void>
    /** Releases the first caller's lock without a response, so that the next caller gets `First`. */
    readonly abandon: (request: IdempotentRequest) => Effect.Effect<void>
  }
>()("@countersign/core/idempotency/IdempotencyStore") {}
