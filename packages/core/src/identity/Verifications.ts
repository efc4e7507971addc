import { Context, DateTime, Effect, Layer } from "effect"
import {
  type BadRequest,
  requireNoProblem,
  requireValid,
  type UpstreamUnavailable
} from "../foundation/errors/index.ts"
import type { ProjectId } from "../tenancy/projects/index.ts"
import { Documents } from "./documents/Documents.ts"
import {
  type DocumentNotFound,
  type DocumentRegistered,
  IdentityNotServed,
  type OwnerNotFound,
  type SessionNotFound,
  type SessionStateMismatch
} from "./errors.ts"
import { PersonalAccesses, PersonalDataReader } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { requiredSessions, sessionDecisions, stateMismatch } from "./sessions/sessionDecisions.ts"
import { type DocumentUpload, sessionDocuments } from "./sessions/sessionDocuments.ts"
import { type Decision, sessionMoves } from "./sessions/sessionMoves.ts"
import { type PartReview, sessionReviews } from "./sessions/sessionReviews.ts"
import { sessionStarts } from "./sessions/sessionStarts.ts"
import type { SessionStatus } from "./sessions/sessionStates.ts"
import type { SessionDocument, SessionKind, VerificationSession } from "./sessions/VerificationSession.ts"
import { type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import {
  BusinessVerification,
  IndividualVerification,
  type PersonalData,
  personalDataOf
} from "./verification/BusinessVerification.ts"
import { businessProblems, personProblems } from "./verification/verificationProblems.ts"

const SWEEP_BATCH = 100

/** A session. While it is PENDING, `uploads` contains the upload descriptors for its missing documents. */
export interface VerificationView {
  readonly session: VerificationSession
  /** The personal data. Null after they were erased. */
  readonly personal: PersonalData | null
  readonly uploads: ReadonlyArray<DocumentUpload>
}

/** A session, as a reviewer sees it. */
export interface Review {
  readonly session: VerificationSession
  /** The personal data. Null after they were erased. */
  readonly personal: PersonalData | null
  readonly parts: ReadonlyArray<PartReview>
  readonly documents: ReadonlyArray<{ readonly document: SessionDocument; readonly isUploaded: boolean }>
  /** Other sessions of the same identity, latest first. */
  readonly otherSessions: ReadonlyArray<VerificationSession>
}

const requireBusiness = requireValid(BusinessVerification)
const requireIndividual = requireValid(IndividualVerification)

/**
 * Verifies the identity of people and businesses. A session covers one verification, from the submission of the
 * personal data to the decision.
 */
export class Verifications extends Context.Service<
  Verifications,
  {
    /**
     * Starts a session. Fails if a session with the same document has not ended, or is completed and not revoked.
     * Different formats of the document number count as the same document. After a rejection, an expiry or a
     * revocation, another session for the same identity may start. A person who owns two businesses is one identity,
     * and has the limits of one person.
     */
    readonly startBusiness: (
      projectId: ProjectId,
      request: BusinessVerification
    ) => Effect.Effect<VerificationView, BadRequest | DocumentRegistered | IdentityNotServed>
    readonly startIndividual: (
      projectId: ProjectId,
      request: IndividualVerification
    ) => Effect.Effect<VerificationView, BadRequest | DocumentRegistered | IdentityNotServed>
    readonly find: (
      projectId: ProjectId,
      kind: SessionKind,
      id: string
    ) => Effect.Effect<VerificationView, SessionNotFound | UpstreamUnavailable>
    /**
     * Submits the documents for verification by the provider or a reviewer. Has no effect if the session is VERIFYING
     * or IN_REVIEW. Fails if it has ended or if a document is missing.
     */
    readonly process: (
      projectId: ProjectId,
      kind: SessionKind,
      id: string
    ) => Effect.Effect<void, BadRequest | SessionNotFound | SessionStateMismatch | UpstreamUnavailable>
    /**
     * Returns the sessions of a project, latest first. If `status` is not null, returns only the sessions with this
     * status. Returns at most `limit` sessions if it is given.
     */
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /**
     * Decides on a person, or on a business together with all of its owners. The decision takes effect immediately,
     * like a provider's verdict. It is not recorded as a reviewer's approval. Repeating the same decision has no
     * further effect.
     */
    readonly decide: (
      projectId: ProjectId,
      id: string,
      decision: Decision
    ) => Effect.Effect<VerificationSession, SessionNotFound | SessionStateMismatch>
    /**
     * Decides on one part of a session: an owner, or the person or business itself if `ownerId` is null. The session is
     * COMPLETED when all parts are approved, and FAILED after the first rejection. The reviewer is the fiber's
     * `PersonalDataReader`.
     */
    readonly decidePart: (
      projectId: ProjectId,
      id: string,
      ownerId: string | null,
      decision: Decision
    ) => Effect.Effect<VerificationSession, SessionNotFound | SessionStateMismatch | OwnerNotFound>
    /** Returns a session of the project, with its personal data and the state of its review. */
    readonly review: (projectId: ProjectId, id: string) => Effect.Effect<Review, SessionNotFound | UpstreamUnavailable>
    /**
     * Returns the parts of a session on which reviewers decide: the person or business itself, followed by each owner.
     */
    readonly listParts: (session: VerificationSession) => Effect.Effect<ReadonlyArray<PartReview>>
    /** Returns a document of a session. Fails if the session does not require such a document. */
    readonly documentOf: (
      projectId: ProjectId,
      id: string,
      documentId: string
    ) => Effect.Effect<SessionDocument & { readonly identityId: string }, SessionNotFound | DocumentNotFound>
    /** Records that the fiber's `PersonalDataReader` has opened a document of an identity. */
    readonly recordOpened: (identity: {
      readonly projectId: ProjectId
      readonly identityId: string
    }) => Effect.Effect<void>
    /**
     * Expires a batch of sessions whose documents were not submitted in time. Returns the number of expired sessions.
     */
    readonly expire: Effect.Effect<number>
  }
>()("@countersign/core/identity/Verifications") {
  static readonly layer = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const store = yield* VerificationSessionStore
      const vault = yield* PersonalVault
      const documents = yield* Documents
      const accesses = yield* PersonalAccesses
      const checks = yield* VerificationChecks
      const moves = yield* sessionMoves
      const requireSession = yield* requiredSessions
      const start = yield* sessionStarts
      const { missingUploads, requireAll, uploadsOf } = yield* sessionDocuments
      const { decide, decidePart } = yield* sessionDecisions
      const reviews = yield* sessionReviews

      const problem = vault.problem ?? documents.problem
      const requireServed = problem === null ? Effect.void : Effect.fail(new IdentityNotServed({ reason: problem }))

      const readPersonalData = Effect.fnUntraced(function* ({ sealed, session }: StoredSession) {
        const text = yield* vault.open(session.identityId, sealed)
        if (text === null) return null
        const { identityId, projectId } = session
        const reader = yield* PersonalDataReader
        yield* accesses.record({ projectId, identityId, action: "SHOWN", reader, lastAt: yield* DateTime.now })
        return personalDataOf(text)
      })

      const show = Effect.fnUntraced(function* (storedSession: StoredSession) {
        const { session } = storedSession
        const personalData = yield* readPersonalData(storedSession)
        const uploads = session.status === "PENDING" ? yield* missingUploads(session) : []
        return { session, personal: personalData, uploads }
      })

      const startSession = Effect.fnUntraced(function* (...[personal, fields]: Parameters<typeof start>) {
        const session = yield* start(personal, fields)
        return { session, personal, uploads: yield* uploadsOf(session, new Set()) } satisfies VerificationView
      })

      const expireOne = (session: VerificationSession) => moves.move(session, "EXPIRED", null)

      return Verifications.of({
        startBusiness: Effect.fn("Verifications.startBusiness")(function* (projectId, input) {
          yield* requireServed
          const { metadata, ...request } = yield* requireBusiness(input)
          const now = yield* DateTime.now
          yield* requireNoProblem(businessProblems(input, now))
          return yield* startSession(
            { _tag: "business", ...request },
            { projectId, country: request.country, metadata, now }
          )
        }),
        startIndividual: Effect.fn("Verifications.startIndividual")(function* (projectId, input) {
          yield* requireServed
          const { metadata, ...request } = yield* requireIndividual(input)
          const now = yield* DateTime.now
          yield* requireNoProblem(personProblems(request, "", now))
          const country = request.country ?? request.documentCountry
          return yield* startSession({ _tag: "individual", ...request }, { projectId, country, metadata, now })
        }),
        find: Effect.fn("Verifications.find")(function* (projectId, kind, id) {
          return yield* show(yield* requireSession(projectId, kind, id))
        }),
        process: Effect.fn("Verifications.process")(function* (projectId, kind, id) {
          const { session } = yield* requireSession(projectId, kind, id)
          if (session.status === "VERIFYING" || session.status === "IN_REVIEW") return
          if (session.status !== "PENDING") return yield* stateMismatch(session, "PENDING")
          yield* requireAll(session)
          const verifyingSession = yield* moves.move(session, "VERIFYING", null)
          // With a provider, a worker runs the check later, because it takes time. Without one, a reviewer decides.
          if (verifyingSession !== null && checks.provider === null)
            yield* moves.move(verifyingSession, "IN_REVIEW", null)
        }),
        list: (projectId, status, limit) => store.list(projectId, status, limit ?? null),
        decide,
        decidePart,
        ...reviews,
        review: Effect.fn("Verifications.review")(function* (projectId, id) {
          const storedSession = yield* requireSession(projectId, null, id)
          const { session } = storedSession
          const uploadedKeys = yield* documents.existingKeys(session.documents.map(({ key }) => key))
          const identitySessions = yield* store.listByIdentity(projectId, session.identityId)
          return {
            session,
            personal: yield* readPersonalData(storedSession),
            parts: yield* reviews.listParts(session),
            documents: session.documents.map((document) => ({ document, isUploaded: uploadedKeys.has(document.key) })),
            otherSessions: identitySessions.flatMap((other) => (other.session.id === id ? [] : [other.session]))
          }
        }),
        expire: Effect.gen(function* () {
          const overdueSessions = yield* store.listOverdue(yield* DateTime.now, SWEEP_BATCH)
          const expiredResults = yield* Effect.forEach(overdueSessions, expireOne)
          return expiredResults.filter((session) => session !== null).length
        })
      })
    })
  )
}
