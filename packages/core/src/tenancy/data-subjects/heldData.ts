import { DateTime, Effect } from "effect"
import { TaxScheduleStore } from "../../accounting/tax/index.ts"
import { FiatOrderStore, ProviderCustomers, ProviderRegistrationStore } from "../../fiat/index.ts"
import {
  IndividualId,
  type PersonalAccess,
  PersonalAccesses,
  PersonalDataReader,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { DataSubjectNotFound } from "./errors.ts"

/** As the limit of a list: the list contains all stored data. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Reads the stored data of an identity. Fails if there are none. */
export const heldData = Effect.gen(function* () {
  const sessions = yield* VerificationSessionStore
  const verifiedIndividuals = yield* VerifiedIndividuals
  const customers = yield* ProviderCustomers
  const registrations = yield* ProviderRegistrationStore
  const orders = yield* FiatOrderStore
  const schedules = yield* TaxScheduleStore

  return Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
    const individualId = IndividualId.make(identityId)
    const storedData = yield* Effect.all({
      stored: sessions.listByIdentity(projectId, identityId),
      people: verifiedIndividuals.list(projectId),
      linked: customers.list(projectId, individualId),
      registered: registrations.listByIdentity(projectId, identityId),
      fiatOrders: orders.list({ projectId, individualId, limit: NO_LIMIT }),
      taxSchedules: schedules.listByIndividual(projectId, identityId)
    })
    const {
      fiatOrders,
      linked: linkedCustomers,
      people,
      registered: storedRegistrations,
      stored: storedSessions,
      taxSchedules
    } = storedData
    const verifiedAt = people.find(({ id }) => id === individualId)?.verifiedAt ?? null
    const isKnown =
      verifiedAt !== null ||
      [storedSessions, linkedCustomers, storedRegistrations, fiatOrders, taxSchedules].some(({ length }) => length > 0)
    return isKnown ? { ...storedData, verifiedAt } : yield* new DataSubjectNotFound({ identityId })
  })
})

/** Returns a function that records that the caller has exported or erased personal data. */
export const accessRecords = Effect.map(PersonalAccesses, (log) =>
  Effect.fnUntraced(function* (projectId: ProjectId, identityId: string, action: PersonalAccess["action"]) {
    const reader = yield* PersonalDataReader
    yield* log.record({ projectId, identityId, action, reader, lastAt: yield* DateTime.now })
  })
)
