import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { VerificationSession } from "../sessions/VerificationSession.ts"
import type { PersonalData } from "../verification/BusinessVerification.ts"

/** What a provider says of a session. Waiting: ask again later. ForReview: the operator decides. */
export type Verdict =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "ForReview" }
  | { readonly _tag: "Approved" }
  | { readonly _tag: "Rejected"; readonly reason: string }

export interface IdentityAsk {
  readonly session: VerificationSession
  /** Opens what the session tells of people, and writes down that the provider has it; null where it was erased. */
  readonly personal: Effect.Effect<PersonalData | null>
}

/** A message of a provider: headers by their names in lower case, and the body as it came. */
export interface IdentityCallback {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The session that a genuine message is about, null for none of ours; or why it is not genuine. */
export type ReadIdentityCallback =
  | {
      readonly _tag: "Genuine"
      readonly session: { readonly projectId: ProjectId; readonly sessionId: string } | null
    }
  | { readonly _tag: "Refused"; readonly reason: string }

/** Somebody who checks documents and people. */
export interface IdentityProvider {
  /** In lower case: the last part of the path of its callbacks. */
  readonly name: string
  /** Hands in what is not handed in yet, and tells what is known. The same again, also after a kill: nothing is handed in twice. */
  readonly check: (ask: IdentityAsk) => Effect.Effect<Verdict, UpstreamUnavailable>
  readonly readCallback: (callback: IdentityCallback) => ReadIdentityCallback
}

/** Null where the operator alone decides. */
export const ConfiguredIdentityProvider = Context.Reference<IdentityProvider | null>(
  "@countersign/core/identity/ConfiguredIdentityProvider",
  { defaultValue: () => null }
)
