import { Context, DateTime, Effect, Layer } from "effect"
import { type BadRequest, requireNoProblem, requireValid, type UpstreamUnavailable } from "../errors/index.ts"
import { EventOutbox } from "../events/index.ts"
import { Entropy, UnitOfWork } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { Documents, type UploadDescriptor } from "./documents/Documents.ts"
import { IdentityNotServed, OwnerNotFound, SessionNotFound, SessionStateMismatch } from "./errors.ts"
import { PersonalAccesses, PersonalDataReader } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { identityPrefix, newSession, type SessionStart } from "./sessions/newSession.ts"
import { sessionMoved } from "./sessions/sessionEvent.ts"
import { type Decision, outcomeOf, sessionMoves } from "./sessions/sessionMoves.ts"
import { canMove, type SessionStatus } from "./sessions/sessionStates.ts"
import type { DocumentType, SessionKind, VerificationSession } from "./sessions/VerificationSession.ts"
import { type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import {
  BusinessVerification,
  IndividualVerification,
  type PersonalData,
  personalDataOf,
  personalTextOf
} from "./verification/BusinessVerification.ts"
import { businessProblems, personProblems } from "./verification/verificationProblems.ts"

const UPLOAD_MINUTES = 15
const SWEEP_BATCH = 100

export interface DocumentUpload {
  readonly type: DocumentType
  readonly ownerId: string | null
  readonly descriptor: UploadDescriptor
}

/** A session, and how the documents that it waits for are uploaded. */
export interface ShownVerification {
  readonly session: VerificationSession
  /** What it tells of people; null where that was erased. */
  readonly personal: PersonalData | null
  readonly uploads: ReadonlyArray<DocumentUpload>
}

const requireBusiness = requireValid(BusinessVerification)
const requireIndividual = requireValid(IndividualVerification)

/** The identity document by which somebody is known again. */
const documentName = (personal: PersonalData): string =>
  personal._tag === "business"
    ? `business ${personal.country} ${personal.documentId}`
    : `individual ${personal.documentCountry} ${personal.documentCategory} ${personal.documentId.toUpperCase()}`

/** The refusal of a business because of one of its owners. */
const refusalOf = (ownerId: string | null, { reason }: { readonly reason: string }): Decision => ({
  _tag: "Reject",
  reason: ownerId === null ? reason : `Owner ${ownerId}: ${reason}`
})

/** Who people and businesses are: sessions from their data to the decision. */
export class Verifications extends Context.Service<
  Verifications,
  {
    readonly startBusiness: (
      projectId: ProjectId,
      request: BusinessVerification
    ) => Effect.Effect<ShownVerification, BadRequest | IdentityNotServed>
    readonly startIndividual: (
      projectId: ProjectId,
      request: IndividualVerification
    ) => Effect.Effect<ShownVerification, BadRequest | IdentityNotServed>
    readonly find: (
      projectId: ProjectId,
      kind: SessionKind,
      id: string
    ) => Effect.Effect<ShownVerification, SessionNotFound | UpstreamUnavailable>
    /** Hands the documents in: from here on the provider of verifications or a reviewer decides. Again: no change. */
    readonly process: (
      projectId: ProjectId,
      kind: SessionKind,
      id: string
    ) => Effect.Effect<void, BadRequest | SessionNotFound | SessionStateMismatch | UpstreamUnavailable>
    readonly list: (
      projectId: ProjectId,
      status: SessionStatus | null
    ) => Effect.Effect<ReadonlyArray<VerificationSession>>
    /** A person's, or a business's with all of its owners. The same decision again: no change. */
    readonly decide: (
      projectId: ProjectId,
      id: string,
      decision: Decision
    ) => Effect.Effect<VerificationSession, SessionNotFound | SessionStateMismatch>
    /**
     * One part of a business: its owner of this id, or with null the business itself. It is COMPLETED once all are approved, and FAILED
     * with the first that is refused.
     */
    readonly decidePart: (
      projectId: ProjectId,
      id: string,
      ownerId: string | null,
      decision: Decision
    ) => Effect.Effect<VerificationSession, SessionNotFound | SessionStateMismatch | OwnerNotFound>
    /** What is approved of a business's session so far: null for the business itself, or the id of an owner. */
    readonly approvedParts: (session: VerificationSession) => Effect.Effect<ReadonlyArray<string | null>>
    /** Expires sessions whose documents did not come. How many. */
    readonly expire: Effect.Effect<number>
  }
>()("@countersign/core/identity/Verifications") {
  static readonly layer = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const store = yield* VerificationSessionStore
      const vault = yield* PersonalVault
      const documents = yield* Documents
      const outbox = yield* EventOutbox
      const accesses = yield* PersonalAccesses
      const entropy = yield* Entropy
      const unit = yield* UnitOfWork
      const checks = yield* VerificationChecks
      const moves = yield* sessionMoves

      const freshId = (prefix: string) => Effect.map(entropy.uuid, (uuid) => `${prefix}_${uuid.replaceAll("-", "")}`)

      const problem = vault.problem ?? documents.problem
      const requireServed = problem === null ? Effect.void : Effect.fail(new IdentityNotServed({ reason: problem }))

      const presentOf = ({ documents: asked }: VerificationSession) => documents.present(asked.map(({ key }) => key))

      /** Fresh descriptors of what is not there yet: an earlier one may have expired. */
      const uploadsOf = Effect.fnUntraced(function* (
        { documents: asked, identityId, projectId }: VerificationSession,
        present: ReadonlySet<string>
      ) {
        const expiresAt = DateTime.add(yield* DateTime.now, { minutes: UPLOAD_MINUTES })
        return yield* Effect.forEach(
          asked.filter(({ key }) => !present.has(key)),
          ({ key, ownerId, type }) =>
            Effect.map(documents.descriptorOf({ key, projectId, identityId, expiresAt }), (descriptor) => ({
              type,
              ownerId,
              descriptor
            }))
        )
      })

      const start = Effect.fnUntraced(function* (
        personal: PersonalData,
        fields: Omit<SessionStart, "id" | "identityId" | "kind">
      ) {
        const kind = personal._tag
        const fingerprint = yield* vault.fingerprint(documentName(personal))
        const fresh = yield* freshId(identityPrefix(kind))
        const identityId = yield* store.identityOf(fields.projectId, fingerprint, fresh)
        const id = yield* freshId(kind === "business" ? "kyb" : "kyc")
        const session = newSession({ ...fields, id, kind, identityId })
        const sealed = yield* vault.seal(identityId, personalTextOf(personal))
        yield* unit.run(Effect.andThen(store.insert({ session, sealed }), outbox.append(sessionMoved(session, null))))
        const uploads = yield* uploadsOf(session, new Set())
        return { session, personal, uploads } satisfies ShownVerification
      })

      const required = Effect.fnUntraced(function* (projectId: ProjectId, kind: SessionKind | null, id: string) {
        const stored = yield* store.find(projectId, id)
        if (stored === null || (kind !== null && stored.session.kind !== kind))
          return yield* new SessionNotFound({ id })
        return stored
      })

      const mismatch = ({ id, status }: VerificationSession, needed: string) =>
        new SessionStateMismatch({ id, status, needed })

      const requireDocuments = Effect.fnUntraced(function* (session: VerificationSession) {
        const present = yield* presentOf(session)
        yield* requireNoProblem(
          session.documents.map(({ key, ownerId, type }) =>
            present.has(key)
              ? null
              : {
                  path: "",
                  code: "document_missing",
                  message: `The document ${type}${ownerId === null ? "" : ` of owner ${ownerId}`} is not uploaded`
                }
          )
        )
      })

      const shown = Effect.fnUntraced(function* ({ sealed, session }: StoredSession) {
        const text = yield* vault.open(session.identityId, sealed)
        const { identityId, projectId, status } = session
        if (text !== null) {
          const reader = yield* PersonalDataReader
          yield* accesses.record({ projectId, identityId, action: "SHOWN", reader, lastAt: yield* DateTime.now })
        }
        const personal = text === null ? null : personalDataOf(text)
        const uploads = status === "PENDING" ? yield* uploadsOf(session, yield* presentOf(session)) : []
        return { session, personal, uploads }
      })

      const expireOne = (session: VerificationSession) => moves.move(session, "EXPIRED", null)

      return Verifications.of({
        startBusiness: Effect.fn("Verifications.startBusiness")(function* (projectId, input) {
          yield* requireServed
          const { metadata, ...request } = yield* requireBusiness(input)
          const now = yield* DateTime.now
          yield* requireNoProblem(businessProblems(input, now))
          const ownerIds = yield* Effect.forEach(request.owners, () => freshId("own"))
          const { country } = request
          return yield* start({ _tag: "business", ...request }, { projectId, country, ownerIds, metadata, now })
        }),
        startIndividual: Effect.fn("Verifications.startIndividual")(function* (projectId, input) {
          yield* requireServed
          const { metadata, ...request } = yield* requireIndividual(input)
          const now = yield* DateTime.now
          yield* requireNoProblem(personProblems(request, "", now))
          const country = request.country ?? request.documentCountry
          return yield* start({ _tag: "individual", ...request }, { projectId, country, ownerIds: [], metadata, now })
        }),
        find: Effect.fn("Verifications.find")(function* (projectId, kind, id) {
          return yield* shown(yield* required(projectId, kind, id))
        }),
        process: Effect.fn("Verifications.process")(function* (projectId, kind, id) {
          const { session } = yield* required(projectId, kind, id)
          if (session.status === "VERIFYING" || session.status === "IN_REVIEW") return
          if (session.status !== "PENDING") return yield* mismatch(session, "PENDING")
          yield* requireDocuments(session)
          const verifying = yield* moves.move(session, "VERIFYING", null)
          // A provider takes its time, and is asked by a worker.
          if (verifying !== null && checks.provider === null) yield* moves.move(verifying, "IN_REVIEW", null)
        }),
        list: (projectId, status) => store.list(projectId, status),
        decide: Effect.fn("Verifications.decide")(function* (projectId, id, decision) {
          const { session } = yield* required(projectId, null, id)
          const [status] = outcomeOf(decision)
          if (session.status === status) return session
          if (!canMove(session.status, status)) return yield* mismatch(session, "IN_REVIEW")
          return (yield* moves.decide(session, decision)) ?? (yield* mismatch(session, "IN_REVIEW"))
        }),
        decidePart: Effect.fn("Verifications.decidePart")(function* (projectId, id, ownerId, decision) {
          const { session } = yield* required(projectId, null, id)
          const { ownerIds } = session
          if (ownerId !== null && !ownerIds.includes(ownerId))
            return yield* new OwnerNotFound({ id: ownerId, owners: [...ownerIds] })
          if (session.status === outcomeOf(decision)[0]) return session
          if (!canMove(session.status, "COMPLETED")) return yield* mismatch(session, "IN_REVIEW")
          const decided = decision._tag === "Reject" ? refusalOf(ownerId, decision) : null
          const after = yield* unit.run(
            Effect.gen(function* () {
              if (decided !== null) return yield* moves.decide(session, decided)
              const approved = yield* store.approvePart(id, ownerId ?? id, yield* DateTime.now)
              const isWhole = [id, ...ownerIds].every((part) => approved.has(part))
              return isWhole ? yield* moves.decide(session, decision) : session
            })
          )
          return after ?? (yield* mismatch(session, "IN_REVIEW"))
        }),
        approvedParts: ({ id, ownerIds }) =>
          Effect.map(store.approvedParts(id), (approved) =>
            [null, ...ownerIds].filter((part) => approved.has(part ?? id))
          ),
        expire: Effect.gen(function* () {
          const overdue = yield* store.overdue(yield* DateTime.now, SWEEP_BATCH)
          const moved = yield* Effect.forEach(overdue, expireOne)
          return moved.filter((session) => session !== null).length
        })
      })
    })
  )
}
