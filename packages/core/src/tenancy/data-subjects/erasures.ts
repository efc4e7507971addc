import { DateTime, Effect } from "effect"
import { TaxScheduleStore } from "../../accounting/tax/index.ts"
import {
  FiatOrderStore,
  isOver as isOrderOver,
  ProviderCustomers,
  ProviderRegistrationStore
} from "../../fiat/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  Documents,
  IndividualId,
  isOver,
  PersonalVault,
  sessionEventOf,
  type VerificationSession,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { EventOutbox } from "../events/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { IdentityInUse, OrdersPending } from "./errors.ts"
import { accessRecords, heldData, NO_LIMIT } from "./heldData.ts"

/** The result of an erasure: which data were erased, and which remain. */
export interface Erasure {
  readonly identityId: string
  readonly sessions: number
  readonly documents: number
  readonly taxSchedules: number
  /**
   * Number of orders that are kept, with their amounts and without names, because payment services must retain them by
   * law.
   */
  readonly keptOrders: number
}

/**
 * Returns the owners in an identity's sessions that no session of another identity in the project contains. Ignores
 * sessions whose data were erased.
 */
const unsharedOwners = Effect.gen(function* () {
  const sessions = yield* VerificationSessionStore
  const vault = yield* PersonalVault

  const isErased = Effect.fnUntraced(function* ({ id, identityId, projectId }: VerificationSession) {
    const storedSession = yield* sessions.find(projectId, id)
    return storedSession === null || (yield* vault.open(identityId, storedSession.sealed)) === null
  })

  return Effect.fnUntraced(function* (
    projectId: ProjectId,
    identityId: string,
    identitySessions: ReadonlyArray<VerificationSession>
  ) {
    const owners = new Set(identitySessions.flatMap(({ ownerIds }) => ownerIds))
    if (owners.size === 0) return []
    const peopleOf = (session: VerificationSession) => [session.identityId, ...session.ownerIds]
    const sharingSessions = (yield* sessions.list(projectId, null, null)).filter(
      (session) => session.identityId !== identityId && peopleOf(session).some((id) => owners.has(id))
    )
    const erasedFlags = yield* Effect.forEach(sharingSessions, isErased)
    const remainingIds = new Set(sharingSessions.filter((_, index) => !erasedFlags[index]).flatMap(peopleOf))
    return [...owners].filter((id) => !remainingIds.has(id))
  })
})

/** Reads and ends the sessions of identities that are erased. */
const erasedSessions = Effect.gen(function* () {
  const sessions = yield* VerificationSessionStore
  const outbox = yield* EventOutbox

  const listSessions = (projectId: ProjectId, identityId: string) =>
    Effect.map(sessions.listByIdentity(projectId, identityId), (all) => all.map(({ session }) => session))

  /**
   * Ends a session of an erased identity, because it can no longer be decided. A PENDING session becomes EXPIRED, other
   * sessions become FAILED.
   */
  const endSession = Effect.fnUntraced(function* (before: VerificationSession) {
    const status = before.status === "PENDING" ? ("EXPIRED" as const) : ("FAILED" as const)
    const erasedSession = { ...before, status, reason: null, metadata: {}, updatedAt: yield* DateTime.now }
    if (yield* sessions.recordTransition(erasedSession, before.status))
      yield* outbox.append(sessionEventOf(erasedSession, before.status))
  })

  /**
   * Ends the sessions of an identity, and returns them. A check or a request may move a session after it was read, so
   * reads the sessions again until all have ended.
   */
  const endSessions = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
    for (;;) {
      const identitySessions = yield* listSessions(projectId, identityId)
      const pendingSessions = identitySessions.filter(({ status }) => !isOver(status))
      if (pendingSessions.length === 0) return identitySessions
      yield* Effect.forEach(pendingSessions, endSession, { discard: true })
    }
  })

  return { listSessions, endSessions }
})

/** Whether all of these sessions were rejected or expired before this time. */
const isRejectedBefore = (identitySessions: ReadonlyArray<VerificationSession>, before: DateTime.Utc): boolean =>
  identitySessions.every(
    ({ status, updatedAt }) => (status === "FAILED" || status === "EXPIRED") && DateTime.isLessThan(updatedAt, before)
  )

/** Erases the personal data of identities. Keeps their orders. */
export const erasures = Effect.gen(function* () {
  const sessions = yield* VerificationSessionStore
  const vault = yield* PersonalVault
  const documents = yield* Documents
  const verifiedIndividuals = yield* VerifiedIndividuals
  const customers = yield* ProviderCustomers
  const registrations = yield* ProviderRegistrationStore
  const orders = yield* FiatOrderStore
  const schedules = yield* TaxScheduleStore
  const unitOfWork = yield* UnitOfWork
  const readHeldData = yield* heldData
  const record = yield* accessRecords
  const unsharedOwnersOf = yield* unsharedOwners
  const { endSessions, listSessions } = yield* erasedSessions

  /** Returns the identity and the owners whose data are erased with it. */
  const peopleOf = Effect.fnUntraced(function* (
    projectId: ProjectId,
    identityId: string,
    identitySessions: ReadonlyArray<VerificationSession>
  ) {
    return [identityId, ...(yield* unsharedOwnersOf(projectId, identityId, identitySessions))]
  })

  /**
   * Fails if the identity, or an owner whose data would be erased with it, has a pending order. The provider may need
   * the data.
   */
  const requireNoPendingOrder = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
    const { stored: storedSessions } = yield* readHeldData(projectId, identityId)
    const identitySessions = storedSessions.map(({ session }) => session)
    const people = yield* peopleOf(projectId, identityId, identitySessions)
    const fiatOrders = yield* Effect.forEach(people, (id) =>
      orders.list({ projectId, individualId: IndividualId.make(id), limit: NO_LIMIT })
    )
    const pendingOrders = fiatOrders.flat().filter(({ state }) => !isOrderOver(state))
    if (pendingOrders.length > 0) return yield* new OrdersPending({ identityId, orders: pendingOrders.length })
  })

  const removeDocuments = Effect.fnUntraced(function* (identitySessions: ReadonlyArray<VerificationSession>) {
    const keys = identitySessions.flatMap((session) => session.documents.map(({ key }) => key))
    const uploadedKeys = yield* documents.existingKeys(keys)
    yield* documents.remove([...uploadedKeys])
    return uploadedKeys.size
  })

  /** Erases an identity whose sessions meet the condition, which is checked again when no other session can start. */
  const eraseIf = Effect.fnUntraced(function* <E>(
    projectId: ProjectId,
    identityId: string,
    requireErasable: (identitySessions: ReadonlyArray<VerificationSession>) => Effect.Effect<void, E>
  ) {
    const { fiatOrders, stored: storedSessions } = yield* readHeldData(projectId, identityId)
    const sessionsBefore = storedSessions.map(({ session }) => session)
    yield* requireErasable(sessionsBefore)
    // Documents are deleted first. If that fails, a later run finds the identity again.
    const removedCount = yield* removeDocuments(sessionsBefore)
    const { allSessions, taxSchedules } = yield* unitOfWork.run(
      Effect.gen(function* () {
        yield* sessions.lockIdentity(projectId, identityId)
        yield* requireErasable(yield* listSessions(projectId, identityId))
        const allSessions = yield* endSessions(projectId, identityId)
        const people = yield* peopleOf(projectId, identityId, allSessions)
        yield* Effect.forEach(people, (id) => sessions.erase(projectId, id))
        yield* Effect.forEach(people, (id) => verifiedIndividuals.revoke(projectId, IndividualId.make(id)))
        yield* Effect.forEach(people, (id) => registrations.erase(projectId, id))
        yield* Effect.forEach(people, (id) => customers.erase(projectId, IndividualId.make(id)))
        const schedulesOfPeople = yield* Effect.forEach(people, (id) => schedules.listByIndividual(projectId, id))
        yield* Effect.forEach(schedulesOfPeople.flat(), ({ walletAddress }) =>
          schedules.remove(projectId, walletAddress)
        )
        yield* Effect.forEach(people, (id) => schedules.erase(projectId, id))
        yield* Effect.forEach(people, (id) => vault.erase(id))
        yield* record(projectId, identityId, "ERASED")
        return { allSessions, taxSchedules: schedulesOfPeople.flat() }
      })
    )
    // Deletes an upload that completed after the first deletion. Later uploads fail, because the identity's key no
    // longer exists.
    const lateRemovedCount = yield* removeDocuments(allSessions)
    return {
      identityId,
      sessions: allSessions.length,
      documents: removedCount + lateRemovedCount,
      taxSchedules: taxSchedules.length,
      keptOrders: fiatOrders.length
    }
  })

  return {
    erase: (projectId: ProjectId, identityId: string) => eraseIf(projectId, identityId, () => Effect.void),
    /** Erases an identity if its sessions were all rejected or expired before this time, and if it is not verified. */
    eraseRejected: (projectId: ProjectId, identityId: string, before: DateTime.Utc) =>
      eraseIf(
        projectId,
        identityId,
        Effect.fnUntraced(function* (identitySessions) {
          const isVerified = yield* verifiedIndividuals.isVerified(projectId, identityId)
          if (isVerified || !isRejectedBefore(identitySessions, before)) return yield* new IdentityInUse({ identityId })
        })
      ),
    requireNoPendingOrder
  }
})
