import { DateTime, Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { DocumentNotFound } from "../errors.ts"
import { PersonalAccesses, PersonalDataReader } from "../personal/PersonalAccesses.ts"
import { isApproved, ReviewPolicy } from "./ReviewPolicy.ts"
import { requiredSessions } from "./sessionDecisions.ts"
import type { SessionDocument, VerificationSession } from "./VerificationSession.ts"
import { VerificationSessionStore } from "./VerificationSessionStore.ts"

/** A part of a session on which reviewers decide. */
export interface PartReview {
  /** Null for the person or business itself. */
  readonly ownerId: string | null
  readonly approvedBy: ReadonlyArray<string>
  readonly isApproved: boolean
}

/** Returns the id of a document within its session, such as `front` or `own_1-front`. */
export const documentIdOf = ({ ownerId, type }: SessionDocument): string =>
  [...(ownerId === null ? [] : [ownerId]), type].join("-")

/** Reads the parts and documents of sessions for reviewers, and records that a document was opened. */
export const sessionReviews = Effect.gen(function* () {
  const store = yield* VerificationSessionStore
  const accesses = yield* PersonalAccesses
  const policy = yield* ReviewPolicy
  const requireSession = yield* requiredSessions

  return {
    listParts: ({ id, ownerIds, projectId }: VerificationSession): Effect.Effect<ReadonlyArray<PartReview>> =>
      Effect.map(store.listApprovals(projectId, id), (approvals) =>
        [null, ...ownerIds].map((ownerId) => {
          const approvedBy = approvals.get(ownerId ?? id) ?? []
          return { ownerId, approvedBy, isApproved: isApproved(approvedBy, policy) }
        })
      ),
    documentOf: Effect.fn("Verifications.documentOf")(function* (projectId: ProjectId, id: string, documentId: string) {
      const { session } = yield* requireSession(projectId, null, id)
      const document = session.documents.find((each) => documentIdOf(each) === documentId)
      if (document === undefined) return yield* new DocumentNotFound({ sessionId: id, documentId })
      return { ...document, identityId: session.identityId }
    }),
    recordOpened: Effect.fnUntraced(function* ({
      identityId,
      projectId
    }: Pick<VerificationSession, "identityId" | "projectId">) {
      const reader = yield* PersonalDataReader
      yield* accesses.record({
        projectId,
        identityId,
        action: "DOCUMENTS_OPENED",
        reader,
        lastAt: yield* DateTime.now
      })
    })
  }
})
