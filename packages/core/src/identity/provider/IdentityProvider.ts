import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { VerificationSession } from "../sessions/VerificationSession.ts"
import type { PersonalData } from "../verification/BusinessVerification.ts"

/** A provider's result for a session. Waiting: poll again later. ForReview: the operator decides. */
export type Verdict =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "ForReview" }
  | { readonly _tag: "Approved" }
  | { readonly _tag: "Rejected"; readonly reason: string }

export interface IdentityAsk {
  readonly session: VerificationSession
  /** Decrypts the session's personal data and records the access of the provider; null once erased. */
  readonly personal: Effect.Effect<PersonalData | null>
}

/** A callback of a provider: headers with lower-case names, and the raw body. */
export interface IdentityCallback {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The session of an authentic callback, null if no session has it; or why it is not authentic. */
export type ReadIdentityCallback =
  | {
      readonly _tag: "Genuine"
      readonly session: { readonly projectId: ProjectId; readonly sessionId: string } | null
    }
  | { readonly _tag: "Refused"; readonly reason: string }

/** A third party that verifies documents and people. */
export interface IdentityProvider {
  /** In lower case: the last path segment of its callback URL. */
  readonly name: string
  /**
   * Submits what is not submitted yet, and returns the current result. Idempotent, also after a crash: nothing is
   * submitted twice.
   */
  readonly check: (ask: IdentityAsk) => Effect.Effect<Verdict, UpstreamUnavailable>
  readonly readCallback: (callback: IdentityCallback) => ReadIdentityCallback
}

/** Null if only reviewers decide. */
export const ConfiguredIdentityProvider = Context.Reference<IdentityProvider | null>(
  "@countersign/core/identity/ConfiguredIdentityProvider",
  { defaultValue: () => null }
)
