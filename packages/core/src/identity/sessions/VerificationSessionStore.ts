import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Country } from "../countries/countries.ts"
import type { SessionStatus } from "./sessionStates.ts"
import type { VerificationSession } from "./VerificationSession.ts"

/** A session with its encrypted personal data, which only the key of its identity decrypts. */
export interface StoredSession {
  readonly session: VerificationSession
  readonly sealed: string
}

/** A session that one worker has claimed for a check. */
export interface DueSession extends StoredSession {
  readonly dueAt: DateTime.Utc
}

/**
 * The reviewers that approved each part of a session, in order: the session itself under its own id, each owner under
 * the owner's id.
 */
export type PartApprovals = ReadonlyMap<string, ReadonlyArray<string>>

/** Number of sessions that wait for a provider or a reviewer. */
export interface ReviewWait {
  readonly status: "VERIFYING" | "IN_REVIEW"
  readonly count: number
  /** When the oldest of them entered this state. */
  readonly oldestAt: DateTime.Utc
}

/** Sessions of identity verification. */
export class VerificationSessionStore extends Context.Service<
  VerificationSessionStore,
  {
    /**
     * The identity id for a document fingerprint in the project; stores and returns the given one if there is none. All
     * concurrent callers get the same id. Must run in a unit of work: other callers with the same fingerprint wait
     * until it ends.
     */
    readonly identityOf: (projectId: ProjectId, fingerprint: string, fresh: string) => Effect.Effect<string>
    /** Reassigns a fingerprint that `identityOf` has just added to another identity, in the same unit of work. */
    readonly assign: (projectId: ProjectId, fingerprint: string, identityId: string) => Effect.Effect<void>
    readonly insert: (stored: StoredSession) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<StoredSession | null>
    /** Stores the session after a move. Returns false and stores nothing if its status is no longer `from`. */
    readonly move: (session: VerificationSession, from: SessionStatus) => Effect.Effect<boolean>
    /**
     * Records that a reviewer approves a part of a session, and returns all approvals of the session. At most two
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
    readonly approvals: (projectId: ProjectId, id: string) => Effect.Effect<PartApprovals>
    /**
     * Claims VERIFYING sessions that are due, those with the longest wait first. No other caller gets them before
     * `until` or the end of their check. A session is due when it becomes VERIFYING.
     */
    readonly takeDue: (
      now: DateTime.Utc,
      until: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueSession>>
    /** Makes a session due. If a check is running, another one follows it. */
    readonly wake: (projectId: ProjectId, id: string, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Ends the check of a session that was due at `dueAt`, and schedules the next check. A session that was woken in
     * the meantime stays due.
     */
    readonly endCheck: (
      projectId: ProjectId,
      id: string,
      dueAt: DateTime.Utc,
      checkAt: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Sessions of a project, latest first; only those of a status if it is given, and at most `limit` if that is given.
     */
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null,
      limit: number | null
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /** The country of an identity, from its latest session; null if it has none. */
    readonly countryOf: (projectId: ProjectId, identityId: string) => Effect.Effect<Country | null>
    /** Latest first. */
    readonly ofIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<StoredSession>>
    /** Removes identifying data and fingerprints from an identity's sessions. */
    readonly forget: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    /**
     * Identities with personal data, all of whose sessions were refused or expired before this instant. Owners are
     * excluded while their business has another session that is not erased.
     */
    readonly refused: (
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly projectId: ProjectId; readonly identityId: string }>>
    /**
     * The number of sessions of a project, or of all projects, that wait for a provider or a reviewer, by state. A
     * state without sessions is absent.
     */
    readonly waits: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<ReviewWait>>
    /** Sessions that await documents and expired at or before this instant. */
    readonly overdue: (at: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<VerificationSession>>
  }
>()("@countersign/core/identity/VerificationSessionStore") {}
