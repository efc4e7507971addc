import { DateTime, Effect } from "effect"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { OwnerNotFound, SessionNotFound, SessionStateMismatch } from "../errors.ts"
import { PersonalDataReader } from "../personal/PersonalAccesses.ts"
import { isApproved, ReviewPolicy } from "./ReviewPolicy.ts"
import { type Decision, outcomeOf, sessionMoves } from "./sessionMoves.ts"
import { canTransition } from "./sessionStates.ts"
import type { SessionKind, VerificationSession } from "./VerificationSession.ts"
import { VerificationSessionStore } from "./VerificationSessionStore.ts"

/** Returns the rejection of a session. If an owner was rejected, the reason contains the owner's id. */
const refusalOf = (ownerId: string | null, { reason }: { readonly reason: string }): Decision => ({
  _tag: "Reject",
  reason: ownerId === null ? reason : `Owner ${ownerId}: ${reason}`
})

export const stateMismatch = ({ id, status }: VerificationSession, needed: string) =>
  new SessionStateMismatch({ id, status, needed })

/** Returns a function that finds a session of a project, or fails. If `kind` is not null, it must match. */
export const requiredSessions = Effect.map(VerificationSessionStore, (store) =>
  Effect.fnUntraced(function* (projectId: ProjectId, kind: SessionKind | null, id: string) {
    const storedSession = yield* store.find(projectId, id)
    if (storedSession === null || (kind !== null && storedSession.session.kind !== kind))
      return yield* new SessionNotFound({ id })
    return storedSession
  })
)

/** Decides on sessions and on their parts. */
export const sessionDecisions = Effect.gen(function* () {
  const store = yield* VerificationSessionStore
  const unitOfWork = yield* UnitOfWork
  const moves = yield* sessionMoves
  const requireSession = yield* requiredSessions
  const policy = yield* ReviewPolicy

  return {
    decide: Effect.fn("Verifications.decide")(function* (projectId: ProjectId, id: string, decision: Decision) {
      const { session } = yield* requireSession(projectId, null, id)
      const [status] = outcomeOf(decision)
      if (session.status === status) return session
      if (!canTransition(session.status, status)) return yield* stateMismatch(session, "IN_REVIEW")
      const decidedSession = (yield* moves.decide(session, decision)) ?? (yield* stateMismatch(session, "IN_REVIEW"))
      yield* moves.followApproval(decidedSession)
      return decidedSession
    }),
    decidePart: Effect.fn("Verifications.decidePart")(function* (
      projectId: ProjectId,
      id: string,
      ownerId: string | null,
      decision: Decision
    ) {
      const { session } = yield* requireSession(projectId, null, id)
      const { ownerIds } = session
      if (ownerId !== null && !ownerIds.includes(ownerId))
        return yield* new OwnerNotFound({ id: ownerId, owners: [...ownerIds] })
      if (session.status === outcomeOf(decision)[0]) return session
      if (!canTransition(session.status, "COMPLETED")) return yield* stateMismatch(session, "IN_REVIEW")
      const refusal = decision._tag === "Reject" ? refusalOf(ownerId, decision) : null
      const decidedSession = yield* unitOfWork.run(
        Effect.gen(function* () {
          if (refusal !== null) return yield* moves.decide(session, refusal)
          const approvals = yield* store.approvePart(
            projectId,
            id,
            ownerId ?? id,
            yield* PersonalDataReader,
            yield* DateTime.now
          )
          const isFullyApproved = [id, ...ownerIds].every((part) => isApproved(approvals.get(part) ?? [], policy))
          return isFullyApproved ? yield* moves.decide(session, decision) : session
        })
      )
      if (decidedSession === null) return yield* stateMismatch(session, "IN_REVIEW")
      yield* moves.followApproval(decidedSession)
      return decidedSession
    })
  }
})
