import { Effect } from "effect"
import { Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { DocumentRegistered } from "../errors.ts"
import { PersonalVault } from "../personal/PersonalVault.ts"
import { VerifiedIndividuals } from "../VerifiedIndividuals.ts"
import { type PersonalData, personalTextOf } from "../verification/BusinessVerification.ts"
import { identityKeysOf, personIdentityKeys } from "../verification/documentsOf.ts"
import { identityPrefix, newSession, OWNER, type SessionStart } from "./newSession.ts"
import { sessionEventOf } from "./sessionEvent.ts"
import { allowsNewSession } from "./sessionStates.ts"
import { VerificationSessionStore } from "./VerificationSessionStore.ts"

const freshIds = Effect.map(
  Entropy,
  ({ uuid }) =>
    (prefix: string) =>
      Effect.map(uuid, (id) => `${prefix}_${id.replaceAll("-", "")}`)
)

/** Finds the identities of people and businesses by their documents. */
const identities = Effect.gen(function* () {
  const store = yield* VerificationSessionStore
  const vault = yield* PersonalVault
  const freshId = yield* freshIds

  /**
   * Finds the identity of each subject in the project by its documents. The first known document determines the
   * identity. If all documents are new, the subject gets a new id with this prefix. The store locks each fingerprint.
   * The fingerprints are sorted, so that two businesses with the same owners in a different order do not deadlock.
   */
  return Effect.fnUntraced(function* (
    projectId: ProjectId,
    subjects: ReadonlyArray<ReadonlyArray<string>>,
    prefix: string
  ) {
    const subjectsWithFingerprints = yield* Effect.forEach(subjects, (documents) =>
      Effect.all({ fresh: freshId(prefix), fingerprints: Effect.forEach(documents, vault.fingerprint) })
    )
    const sortedFingerprints = subjectsWithFingerprints
      .flatMap(({ fingerprints, fresh }) => fingerprints.map((fingerprint) => ({ fingerprint, fresh })))
      .toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1))
    const identityByFingerprint = new Map<string, string>()
    for (const { fingerprint, fresh } of sortedFingerprints) {
      identityByFingerprint.set(fingerprint, yield* store.findOrAddIdentity(projectId, fingerprint, fresh))
    }
    return yield* Effect.forEach(subjectsWithFingerprints, ({ fingerprints, fresh }) =>
      Effect.gen(function* () {
        const knownFingerprint = fingerprints.find((fingerprint) => identityByFingerprint.get(fingerprint) !== fresh)
        const identityId = knownFingerprint === undefined ? fresh : identityByFingerprint.get(knownFingerprint)!
        const addedFingerprints = fingerprints.filter((fingerprint) => identityByFingerprint.get(fingerprint) === fresh)
        if (identityId !== fresh) {
          yield* Effect.forEach(addedFingerprints, (fingerprint) => store.assign(projectId, fingerprint, identityId))
        }
        return identityId
      })
    )
  })
})

/** Starts sessions, and stores their identities, encrypted data and events. */
export const sessionStarts = Effect.gen(function* () {
  const store = yield* VerificationSessionStore
  const vault = yield* PersonalVault
  const outbox = yield* EventOutbox
  const unitOfWork = yield* UnitOfWork
  const verifiedIndividuals = yield* VerifiedIndividuals
  const freshId = yield* freshIds
  const identitiesOf = yield* identities

  /**
   * Fails if the identity has a session that has not ended, or a completed session whose verification was not revoked.
   */
  const requireNoSession = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
    const sessions = yield* store.listByIdentity(projectId, identityId)
    const isVerified = yield* verifiedIndividuals.isVerified(projectId, identityId)
    const blockingSession = sessions.find(({ session: { status } }) => !allowsNewSession(status, isVerified))
    if (blockingSession !== undefined)
      return yield* new DocumentRegistered({
        sessionId: blockingSession.session.id,
        status: blockingSession.session.status
      })
  })

  const insert = Effect.fnUntraced(function* (
    personal: PersonalData,
    fields: Pick<SessionStart, "projectId" | "country" | "metadata" | "now">
  ) {
    const { projectId } = fields
    const kind = personal._tag
    const identityId = (yield* identitiesOf(projectId, [identityKeysOf(personal)], identityPrefix(kind)))[0]!
    yield* requireNoSession(projectId, identityId)
    const owners = personal._tag === "business" ? personal.owners : []
    const ownerIds = yield* identitiesOf(projectId, owners.map(personIdentityKeys), OWNER)
    const id = yield* freshId(kind === "business" ? "kyb" : "kyc")
    const session = newSession({ ...fields, id, kind, identityId, ownerIds })
    yield* store.insert({ session, sealed: yield* vault.seal(identityId, personalTextOf(personal)) })
    yield* outbox.append(sessionEventOf(session, null))
    return session
  })

  return (personal: PersonalData, fields: Parameters<typeof insert>[1]) => unitOfWork.run(insert(personal, fields))
})
