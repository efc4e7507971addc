import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Country } from "../countries/countries.ts"
import type { SessionStatus } from "./sessionStates.ts"
import type { VerificationSession } from "./VerificationSession.ts"

/** A session, and its personal data encrypted with the key of its identity. */
export interface StoredSession {
  readonly session: VerificationSession
  readonly sealed: string
}

/** A session that one worker has claimed for a check. */
export interface DueSession extends StoredSession {
  readonly dueAt: DateTime.Utc
}

/**
 * The reviewers that approved each part of a session, in order. The key of the session's person or business is the
 * session id. The key of an owner is the owner id.
 */
export type PartApprovals = ReadonlyMap<string, ReadonlyArray<string>>

/** The sessions in one state that wait for a provider or a reviewer. */
export interface PendingReviewCount {
  readonly status: "VERIFYING" | "IN_REVIEW"
  readonly count: number
  /** The time when the oldest of these sessions entered this state. */
  readonly oldestAt: DateTime.Utc
}

/** Stores the sessions of identity verification. */
export class VerificationSessionStore extends Context.Service<
  VerificationSessionStore,
  {
    /**
     * Returns the identity id of a document fingerprint in the project. If the fingerprint is new, stores and returns
     * `newIdentityId`. All concurrent callers get the same id. Must run in a unit of work: other callers with the same
     * fingerprint wait until it ends.
     */
    readonly findOrAddIdentity: (
      projectId: ProjectId,
      fingerprint: string,
      newIdentityId: string
    ) => Effect.Effect<string>
    /**
     * Assigns a fingerprint to another identity. `findOrAddIdentity` must have added the fingerprint in the same unit of work.
     */
    readonly assign: (projectId: ProjectId, fingerprint: string, identityId: string) => Effect.Effect<void>
    /**
     * Locks the fingerprints of an identity until the unit of work ends. A concurrent start of a session with one of its
     * documents waits.
     */
    readonly lockIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    readonly insert: (storedSession: StoredSession) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<StoredSession | null>
    /** Stores the session after a transition. Returns false and stores nothing if its status is no longer `from`. */
    readonly recordTransition: (session: VerificationSession, from: SessionStatus) => Effect.Effect<boolean>
    /**
     * Records a reviewer's approval of a part of a session, and returns all approvals of the session. At most two
     * reviewers are recorded per part. Must run in a unit of work: other approvals of the same session wait until it
     * ends.
     */
    readonly approvePart: (
      projectId: ProjectId,
      id: string,
      part: string,
      reviewer: string,
      at: DateTime.Utc
    ) => Effect.Effect<PartApprovals>
    readonly listApprovals: (projectId: ProjectId, id: string) => Effect.Effect<PartApprovals>
    /**
     * Claims due VERIFYING sessions, the longest overdue first. No other caller gets them before `until` or before
     * their check ends. A session becomes due when it becomes VERIFYING.
     */
    readonly claimDue: (
      now: DateTime.Utc,
      until: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueSession>>
    /** Makes a session due. If a check is running, another check follows. */
    readonly wake: (projectId: ProjectId, id: string, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Ends the check of a session that was due at `dueAt`, and schedules the next check. If `wake` was called in the
     * meantime, the session stays due.
     */
    readonly endCheck: (
      projectId: ProjectId,
      id: string,
      dueAt: DateTime.Utc,
      checkAt: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Returns the sessions of a project, latest first. `status` and `limit` restrict the result if they are not null.
     */
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null,
      limit: number | null
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /** Returns the country of the latest session of an identity. Null if there is no session. */
    readonly findCountry: (projectId: ProjectId, identityId: string) => Effect.Effect<Country | null>
    /** Returns the sessions of an identity, latest first. */
    readonly listByIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<StoredSession>>
    /**
     * Deletes the personal data, reasons and metadata from the sessions of an identity. Also deletes its fingerprints.
     */
    readonly erase: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    /**
     * Returns identities that have personal data, and whose sessions were all rejected or expired before this time.
     * Excludes verified individuals, whom an operator has verified by other means. Also excludes the owners of a
     * business if it has a session with personal data that was neither rejected nor expired.
     */
    readonly listRejected: (
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly projectId: ProjectId; readonly identityId: string }>>
    /**
     * Counts the sessions that wait for a provider or a reviewer by state, in one project or in all projects. A state
     * without sessions is absent.
     */
    readonly countPending: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<PendingReviewCount>>
    /** Returns sessions that wait for documents and expired at or before this time. */
    readonly listOverdue: (at: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<VerificationSession>>
  }
>()("@countersign/core/identity/VerificationSessionStore") {}
