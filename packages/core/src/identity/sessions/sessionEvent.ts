import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import type { SessionStatus } from "./sessionStates.ts"
import { VerificationSession } from "./VerificationSession.ts"

const eventTypesOf = <const P extends string>(prefix: P) =>
  [
    `${prefix}.created`,
    `${prefix}.verifying`,
    `${prefix}.in_review`,
    `${prefix}.completed`,
    `${prefix}.failed`,
    `${prefix}.expired`
  ] as const

/** The events of sessions. They contain the session, but no personal data. */
export const individualSessionEvents = eventKind("kyc.session", eventTypesOf("kyc.session"), VerificationSession)
export const businessSessionEvents = eventKind("kyb.session", eventTypesOf("kyb.session"), VerificationSession)

/** Returns the event of a session's latest state transition. */
export const sessionEventOf = (session: VerificationSession, previousStatus: SessionStatus | null): NewEvent => {
  const { id, projectId, status, updatedAt: at } = session
  const suffix =
    status === "PENDING" ? "created" : (status.toLowerCase() as Lowercase<Exclude<SessionStatus, "PENDING">>)
  const change = { projectId, id, at, previousStatus, resource: session }
  return session.kind === "business"
    ? businessSessionEvents.eventOf({ ...change, type: `kyb.session.${suffix}` })
    : individualSessionEvents.eventOf({ ...change, type: `kyc.session.${suffix}` })
}
