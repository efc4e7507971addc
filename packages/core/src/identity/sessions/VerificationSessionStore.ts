import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../projects/index.ts"
import type { Country } from "../countries/countries.ts"
import type { SessionStatus } from "./sessionStates.ts"
import type { VerificationSession } from "./VerificationSession.ts"

/** A session with what is sealed of it, which only its identity's key opens. */
export interface StoredSession {
  readonly session: VerificationSession
  readonly sealed: string
}

/** Sessions of identity verification. */
export class VerificationSessionStore extends Context.Service<
  VerificationSessionStore,
  {
    /**
     * The id under which the project knows an identity document, by its fingerprint; the given one where it knows none yet.
     * The same for every caller that asks at once.
     */
    readonly identityOf: (projectId: ProjectId, fingerprint: string, fresh: string) => Effect.Effect<string>
    readonly insert: (stored: StoredSession) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<StoredSession | null>
    /** Stores the session as it is after a move. False, and nothing stored, where its status is no longer `from`. */
    readonly move: (session: VerificationSession, from: SessionStatus) => Effect.Effect<boolean>
    /** Those of a project, the latest first; of one status where it is given. */
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /** The country of an identity, by its latest session; null where it has none. */
    readonly countryOf: (projectId: ProjectId, identityId: string) => Effect.Effect<Country | null>
    /** Sessions that wait for documents and expired before or at this instant. */
    readonly overdue: (at: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<VerificationSession>>
  }
>()("@countersign/core/identity/VerificationSessionStore") {}
