import { Schema } from "effect"

/**
 * PENDING: waits for documents. VERIFYING: they are checked. IN_REVIEW: a person decides. COMPLETED: the identity is
 * verified. FAILED: it is refused; another session of the same identity may be started. EXPIRED: the documents did not come.
 */
export const SessionStatus = Schema.Literals(["PENDING", "VERIFYING", "IN_REVIEW", "COMPLETED", "FAILED", "EXPIRED"])
export type SessionStatus = typeof SessionStatus.Type

const moves: Readonly<Record<SessionStatus, ReadonlyArray<SessionStatus>>> = {
  PENDING: ["VERIFYING", "EXPIRED"],
  VERIFYING: ["IN_REVIEW", "COMPLETED", "FAILED"],
  IN_REVIEW: ["COMPLETED", "FAILED"],
  COMPLETED: [],
  FAILED: [],
  EXPIRED: []
}

export const canMove = (from: SessionStatus, to: SessionStatus): boolean => moves[from].includes(to)

/** Whether another session of the same document may be started. After a revocation the identity is no longer verified. */
export const allowsAnother = (status: SessionStatus, isVerified: boolean): boolean =>
  status === "FAILED" || status === "EXPIRED" || (status === "COMPLETED" && !isVerified)

export const isOver = (status: SessionStatus): boolean => moves[status].length === 0
