import { Schema } from "effect"

/**
 * PENDING: the session waits for documents. VERIFYING: the provider checks the documents. IN_REVIEW: a reviewer
 * decides. COMPLETED: the identity is verified. FAILED: the identity was rejected, and another session may be started.
 * EXPIRED: the documents were not submitted in time.
 */
export const SessionStatus = Schema.Literals(["PENDING", "VERIFYING", "IN_REVIEW", "COMPLETED", "FAILED", "EXPIRED"])
export type SessionStatus = typeof SessionStatus.Type

const transitions: Readonly<Record<SessionStatus, ReadonlyArray<SessionStatus>>> = {
  PENDING: ["VERIFYING", "EXPIRED"],
  VERIFYING: ["IN_REVIEW", "COMPLETED", "FAILED"],
  IN_REVIEW: ["COMPLETED", "FAILED"],
  COMPLETED: [],
  FAILED: [],
  EXPIRED: []
}

export const canTransition = (from: SessionStatus, to: SessionStatus): boolean => transitions[from].includes(to)

/** Returns whether another session with the same document may be started. `isVerified` is false after a revocation. */
export const allowsNewSession = (status: SessionStatus, isVerified: boolean): boolean =>
  status === "FAILED" || status === "EXPIRED" || (status === "COMPLETED" && !isVerified)

export const isOver = (status: SessionStatus): boolean => transitions[status].length === 0
