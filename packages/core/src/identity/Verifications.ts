import { Context, DateTime, Effect, Layer } from "effect"
import {
  type BadRequest,
  requireNoProblem,
  requireValid,
  type UpstreamUnavailable
} from "../foundation/errors/index.ts"
import { Entropy, UnitOfWork } from "../foundation/primitives/index.ts"
import { EventOutbox } from "../tenancy/events/index.ts"
import type { ProjectId } from "../tenancy/projects/index.ts"
import { Documents, type UploadDescriptor } from "./documents/Documents.ts"
import {
  DocumentRegistered,
  IdentityNotServed,
  OwnerNotFound,
  SessionNotFound,
  SessionStateMismatch
} from "./errors.ts"
import { PersonalAccesses, PersonalDataReader } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { identityPrefix, newSession, OWNER, type SessionStart } from "./sessions/newSession.ts"
import { sessionMoved } from "./sessions/sessionEvent.ts"
import { type Decision, outcomeOf, sessionMoves } from "./sessions/sessionMoves.ts"
import { allowsAnother, canMove, type SessionStatus } from "./sessions/sessionStates.ts"
import type { DocumentType, SessionKind, VerificationSession } from "./sessions/VerificationSession.ts"
import { type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import { VerifiedIndividuals } from "./VerifiedIndividuals.ts"
import {
  BusinessVerification,
  IndividualVerification,
  type PersonalData,
  personalDataOf,
  personalTextOf
} from "./verification/BusinessVerification.ts"
import { documentsOf, documentsOfPerson } from "./verification/documentsOf.ts"
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

/** The refusal of a business because of one of its owners. */
const refusalOf = (ownerId: string | null, { reason }: { readonly reason: string }): Decision => ({
  _tag: "Reject",
  reason: ownerId === null ? reason : `Owner ${ownerId}: ${reason}`
})

/** Who people and businesses are: sessions from their data to the decision. */
export class Verifications extends Context.Service<
  Verifications,
  {
    /**
     * One session of a document at a time, however its number is spelled: another one after a refusal, an expiry or a revocation, with
     * the same identity. An owner of two businesses is one identity too, so that its limits are those of one person.
     */
    readonly startBusiness: (
      projectId: ProjectId,
      request: BusinessVerification
    ) => Effect.Effect<ShownVerification, BadRequest | DocumentRegistered | IdentityNotServed>
    readonly startIndividual: (
      projectId: ProjectId,
      request: IndividualVerification
    ) => Effect.Effect<ShownVerification, BadRequest | DocumentRegistered | IdentityNotServed>
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
      const verified = yield* VerifiedIndividuals
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

      /**
       * The identities of people or businesses in the project, each by its documents; of this prefix where all documents of one are new. The
       * first document that is known decides. The store locks each fingerprint, so all callers ask in sorted order: two businesses with the
       * same owners in another order do not deadlock.
       */
      const identitiesOf = Effect.fnUntraced(function* (
        projectId: ProjectId,
        subjects: ReadonlyArray<ReadonlyArray<string>>,
        prefix: string
      ) {
        const all = yield* Effect.forEach(subjects, (documents) =>
          Effect.all({ fresh: freshId(prefix), fingerprints: Effect.forEach(documents, vault.fingerprint) })
        )
        const asked = all
          .flatMap(({ fingerprints, fresh }) => fingerprints.map((fingerprint) => ({ fingerprint, fresh })))
          .toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1))
        const identities = new Map<string, string>()
        for (const { fingerprint, fresh } of asked) {
          identities.set(fingerprint, yield* store.identityOf(projectId, fingerprint, fresh))
        }
        return yield* Effect.forEach(all, ({ fingerprints, fresh }) =>
          Effect.gen(function* () {
            const known = fingerprints.find((fingerprint) => identities.get(fingerprint) !== fresh)
            const identityId = known === undefined ? fresh : identities.get(known)!
            const added = fingerprints.filter((fingerprint) => identities.get(fingerprint) === fresh)
            if (identityId !== fresh) {
              yield* Effect.forEach(added, (fingerprint) => store.assign(projectId, fingerprint, identityId))
            }
            return identityId
          })
        )
      })

      /** Fails where the identity is verified by a session, or has one that waits or is reviewed. */
      const requireNoSession = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
        const sessions = yield* store.ofIdentity(projectId, identityId)
        const isVerified = yield* verified.isVerified(projectId, identityId)
        const first = sessions.find(({ session: { status } }) => !allowsAnother(status, isVerified))
        if (first !== undefined)
          return yield* new DocumentRegistered({ sessionId: first.session.id, status: first.session.status })
      })

      const insert = Effect.fnUntraced(function* (
        personal: PersonalData,
        fields: Pick<SessionStart, "projectId" | "country" | "metadata" | "now">
      ) {
        const { projectId } = fields
        const kind = personal._tag
        const identityId = (yield* identitiesOf(projectId, [documentsOf(personal)], identityPrefix(kind)))[0]!
        yield* requireNoSession(projectId, identityId)
        const owners = personal._tag === "business" ? personal.owners : []
        const ownerIds = yield* identitiesOf(projectId, owners.map(documentsOfPerson), OWNER)
        const id = yield* freshId(kind === "business" ? "kyb" : "kyc")
        const session = newSession({ ...fields, id, kind, identityId, ownerIds })
        yield* store.insert({ session, sealed: yield* vault.seal(identityId, personalTextOf(personal)) })
        yield* outbox.append(sessionMoved(session, null))
        return session
      })

      const start = Effect.fnUntraced(function* (personal: PersonalData, fields: Parameters<typeof insert>[1]) {
        const session = yield* unit.run(insert(personal, fields))
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
          return yield* start({ _tag: "business", ...request }, { projectId, country: request.country, metadata, now })
        }),
        startIndividual: Effect.fn("Verifications.startIndividual")(function* (projectId, input) {
          yield* requireServed
          const { metadata, ...request } = yield* requireIndividual(input)
          const now = yield* DateTime.now
          yield* requireNoProblem(personProblems(request, "", now))
          const country = request.country ?? request.documentCountry
          return yield* start({ _tag: "individual", ...request }, { projectId, country, metadata, now })
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
          const after = (yield* moves.decide(session, decision)) ?? (yield* mismatch(session, "IN_REVIEW"))
          yield* moves.followApproval(after)
          return after
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
          if (after === null) return yield* mismatch(session, "IN_REVIEW")
          yield* moves.followApproval(after)
          return after
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
