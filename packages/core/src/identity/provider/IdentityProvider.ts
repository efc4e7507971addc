import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { VerificationSession } from "../sessions/VerificationSession.ts"
import type { PersonalData } from "../verification/BusinessVerification.ts"

/** A provider's result for a session. Waiting: the service polls again later. ForReview: the operator must decide. */
export type Verdict =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "ForReview" }
  | { readonly _tag: "Approved" }
  | { readonly _tag: "Rejected"; readonly reason: string }

export interface IdentityProviderRequest {
  readonly session: VerificationSession
  /** Decrypts the session's personal data, and records the provider's access. Null after they were erased. */
  readonly personalData: Effect.Effect<PersonalData | null>
}

/** A webhook of a provider: headers with lower-case names, and the raw body. */
export interface IdentityCallback {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/**
 * The session id of an authentic webhook (null if it contains none), or the reason why the webhook is not authentic.
 */
export type IdentityCallbackContent =
  | {
      readonly _tag: "Genuine"
      readonly session: { readonly projectId: ProjectId; readonly sessionId: string } | null
    }
  | { readonly _tag: "Refused"; readonly reason: string }

/** A third party that verifies documents and people. */
export interface IdentityProvider {
  /** In lower case. It is the last path segment of the provider's webhook URL. */
  readonly name: string
  /**
   * Submits the data that are not submitted yet, and returns the current result. Never submits data twice, even after a
   * crash.
   */
  readonly check: (request: IdentityProviderRequest) => Effect.Effect<Verdict, UpstreamUnavailable>
  readonly readCallback: (callback: IdentityCallback) => IdentityCallbackContent
}

/** The configured identity provider. Null if only reviewers decide. */
export const ConfiguredIdentityProvider = Context.Reference<IdentityProvider | null>(
  "@countersign/core/identity/ConfiguredIdentityProvider",
  { defaultValue: () => null }
)
