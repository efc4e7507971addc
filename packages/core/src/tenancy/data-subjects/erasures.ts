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
import { OrdersPending } from "./errors.ts"
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
  const outbox = yield* EventOutbox
  const unitOfWork = yield* UnitOfWork
  const readHeldData = yield* heldData
  const record = yield* accessRecords
  const unsharedOwnersOf = yield* unsharedOwners

  /**
   * Ends a session of an erased identity, because it can no longer be decided. A PENDING session becomes EXPIRED, other
   * sessions become FAILED.
   */
  const endSession = Effect.fnUntraced(function* (before: VerificationSession) {
    const status = before.status === "PENDING" ? ("EXPIRED" as const) : ("FAILED" as const)
    const erasedSession = { ...before, status, reason: null, updatedAt: yield* DateTime.now }
    if (yield* sessions.recordTransition(erasedSession, before.status))
      yield* outbox.append(sessionEventOf(erasedSession, before.status))
  })

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

  const erase = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
    const { fiatOrders, stored: storedSessions } = yield* readHeldData(projectId, identityId)
    const allSessions = storedSessions.map(({ session }) => session)
    const keys = allSessions.flatMap((session) => session.documents.map(({ key }) => key))
    const removeDocuments = Effect.gen(function* () {
      const uploadedKeys = yield* documents.existingKeys(keys)
      yield* documents.remove([...uploadedKeys])
      return uploadedKeys.size
    })
    // Documents are deleted first. If that fails, a later run finds the identity again.
    const removedCount = yield* removeDocuments
    const taxSchedules = yield* unitOfWork.run(
      Effect.gen(function* () {
        yield* Effect.forEach(
          allSessions.filter(({ status }) => !isOver(status)),
          endSession
        )
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
        return schedulesOfPeople.flat()
      })
    )
    // Deletes an upload that completed after the first deletion. Later uploads fail, because the identity's key no
    // longer exists.
    const lateRemovedCount = yield* removeDocuments
    return {
      identityId,
      sessions: allSessions.length,
      documents: removedCount + lateRemovedCount,
      taxSchedules: taxSchedules.length,
      keptOrders: fiatOrders.length
    }
  })
  return { erase, requireNoPendingOrder }
})
