import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Country } from "../countries/countries.ts"
import type { SessionStatus } from "./sessionStates.ts"
import type { VerificationSession } from "./VerificationSession.ts"

/** A session with what is sealed of it, which only its identity's key opens. */
export interface StoredSession {
  readonly session: VerificationSession
  readonly sealed: string
}

/** A session that one caller checks. */
export interface DueSession extends StoredSession {
  readonly dueAt: DateTime.Utc
}

/** The reviewers that have approved a part of a session, the first one first: the session itself under its own id, each owner under theirs. */
export type PartApprovals = ReadonlyMap<string, ReadonlyArray<string>>

/** Sessions that wait for a provider or a reviewer. */
export interface ReviewWait {
  readonly status: "VERIFYING" | "IN_REVIEW"
  readonly count: number
  /** When the oldest of them came to this state. */
  readonly oldestAt: DateTime.Utc
}

/** Sessions of identity verification. */
export class VerificationSessionStore extends Context.Service<
  VerificationSessionStore,
  {
    /**
     * The id under which the project knows an identity document, by its fingerprint; the given one where it knows none yet.
     * The same for all concurrent callers. In a unit of work: others who ask for the same document wait until it has ended.
     */
    readonly identityOf: (projectId: ProjectId, fingerprint: string, fresh: string) => Effect.Effect<string>
    /** Gives a fingerprint that `identityOf` has just added to another identity. In the same unit of work. */
    readonly assign: (projectId: ProjectId, fingerprint: string, identityId: string) => Effect.Effect<void>
    readonly insert: (stored: StoredSession) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<StoredSession | null>
    /** Stores the session as it is after a move. False, and nothing stored, where its status is no longer `from`. */
    readonly move: (session: VerificationSession, from: SessionStatus) => Effect.Effect<boolean>
    /**
     * Records that a reviewer approves a part of a session, and returns all approvals of the session. The first two reviewers of a part
     * are recorded. In a unit of work: other approvals of the same session wait until it has ended.
     */
    readonly approvePart: (id: string, part: string, reviewer: string, at: DateTime.Utc) => Effect.Effect<PartApprovals>
    readonly approvals: (id: string) => Effect.Effect<PartApprovals>
    /**
     * Claims VERIFYING sessions that are due, the longest due first. No other caller gets them before `until` or the end of their check.
     * A session that has just become VERIFYING is due.
     */
    readonly takeDue: (
      now: DateTime.Utc,
      until: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueSession>>
    /** Makes a session due. If it is being checked, it is checked again afterwards. */
    readonly wake: (id: string, now: DateTime.Utc) => Effect.Effect<void>
    /** Ends the check of a session that was due at `dueAt`, and schedules the next check. A session that was woken since stays due. */
    readonly endCheck: (id: string, dueAt: DateTime.Utc, checkAt: DateTime.Utc) => Effect.Effect<void>
    /** Those of a project, the latest first; of one status where it is given, and at most `limit` where that is. */
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null,
      limit: number | null
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /** The country of an identity, by its latest session; null where it has none. */
    readonly countryOf: (projectId: ProjectId, identityId: string) => Effect.Effect<Country | null>
    /** The latest first. */
    readonly ofIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<StoredSession>>
    /** Takes out of an identity's sessions what could tell of it, and by what it is known again. */
    readonly forget: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    /**
     * Identities that are not forgotten, all of whose sessions were refused or expired before this instant. Not the owners of a business
     * whose session is neither refused, expired nor forgotten.
     */
    readonly refused: (
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly projectId: ProjectId; readonly identityId: string }>>
    /** How many sessions of a project, or of all, wait for a provider or a reviewer, by state; nothing where there is none. */
    readonly waits: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<ReviewWait>>
    /** Sessions that wait for documents and expired before or at this instant. */
    readonly overdue: (at: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<VerificationSession>>
  }
>()("@countersign/core/identity/VerificationSessionStore") {}
