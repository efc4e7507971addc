import { DateTime, Effect } from "effect"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { ApprovalFollowUp } from "../ApprovalFollowUp.ts"
import { IndividualId, VerifiedIndividuals } from "../VerifiedIndividuals.ts"
import { sessionEventOf } from "./sessionEvent.ts"
import { canTransition, type SessionStatus } from "./sessionStates.ts"
import type { VerificationSession } from "./VerificationSession.ts"
import { VerificationSessionStore } from "./VerificationSessionStore.ts"

/** The result of a check or review. */
export type Decision = { readonly _tag: "Approve" } | { readonly _tag: "Reject"; readonly reason: string }

/** Returns the status and the stored reason after a decision. */
export const outcomeOf = (decision: Decision) =>
  decision._tag === "Approve" ? (["COMPLETED", null] as const) : (["FAILED", decision.reason] as const)

/**
 * Returns the individuals that a completed session verifies: the person or business, and its owners. They are sorted,
 * because their rows are locked in this order.
 */
const peopleOf = ({ identityId, kind, ownerIds }: VerificationSession) =>
  [
    { person: identityId, level: kind === "individual" ? "DOCUMENTS" : "BUSINESS" },
    ...ownerIds.toSorted().map((person) => ({ person, level: "DOCUMENTS" }) as const)
  ] as const

/**
 * Moves sessions between states, and adds the event of each transition. Returns null if the transition is not allowed,
 * or if another caller has changed the session's state first.
 */
export const sessionMoves = Effect.gen(function* () {
  const store = yield* VerificationSessionStore
  const outbox = yield* EventOutbox
  const unitOfWork = yield* UnitOfWork
  const verifiedIndividuals = yield* VerifiedIndividuals
  const followUp = yield* ApprovalFollowUp

  const transition = (before: VerificationSession, status: SessionStatus, reason: string | null) =>
    unitOfWork.run(
      Effect.gen(function* () {
        const movedSession = { ...before, status, reason, updatedAt: yield* DateTime.now }
        if (!canTransition(before.status, status) || !(yield* store.recordTransition(movedSession, before.status)))
          return null
        yield* outbox.append(sessionEventOf(movedSession, before.status))
        return movedSession
      })
    )

  /**
   * Stores a decision. An approval also verifies the person, or the business with all of its owners, in the same unit
   * of work.
   */
  const decide = (before: VerificationSession, decision: Decision) =>
    unitOfWork.run(
      Effect.gen(function* () {
        const [status, reason] = outcomeOf(decision)
        const movedSession = yield* transition(before, status, reason)
        if (movedSession === null || decision._tag === "Reject") return movedSession
        for (const { level, person } of peopleOf(movedSession)) {
          yield* verifiedIndividuals.verify(movedSession.projectId, {
            id: IndividualId.make(person),
            verifiedAt: movedSession.updatedAt,
            level
          })
        }
        yield* followUp.record(movedSession)
        return movedSession
      })
    )

  /** Starts the follow-up of an approval. Must run after the decision has been committed. */
  const followApproval = (after: VerificationSession) =>
    after.status === "COMPLETED" ? followUp.start(after) : Effect.void

  return { move: transition, decide, followApproval }
})
