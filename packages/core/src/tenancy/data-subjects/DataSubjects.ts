import { Context, DateTime, Effect, Layer } from "effect"
import { type TaxSchedule, TaxScheduleStore } from "../../accounting/tax/index.ts"
import {
  type FiatOrder,
  FiatOrderStore,
  isOver as isOrderOver,
  type ProviderCustomer,
  ProviderCustomers,
  type ProviderRegistration,
  ProviderRegistrationStore
} from "../../fiat/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  Documents,
  IndividualId,
  isOver,
  type PersonalAccess,
  PersonalAccesses,
  type PersonalData,
  PersonalDataReader,
  PersonalVault,
  personalDataOf,
  type StoredSession,
  sessionMoved,
  type VerificationSession,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { EventOutbox } from "../events/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { ErasureRecords } from "./ErasureRecords.ts"
import { DataSubjectNotFound, OrdersUnderWay } from "./errors.ts"

const ALL = Number.MAX_SAFE_INTEGER
const ACCESSES = 10_000
const SWEEP_BATCH = 20

/** All that is held of a person or a business. */
export interface HeldData {
  readonly identityId: string
  /** Null where it is not verified. */
  readonly verifiedAt: DateTime.Utc | null
  /** The latest first; `personal` is null where it was erased. */
  readonly sessions: ReadonlyArray<{ readonly session: VerificationSession; readonly personal: PersonalData | null }>
  /** Who it is at providers of bank payments. */
  readonly customers: ReadonlyArray<ProviderCustomer>
  readonly registrations: ReadonlyArray<ProviderRegistration>
  readonly fiatOrders: ReadonlyArray<FiatOrder>
  readonly taxSchedules: ReadonlyArray<TaxSchedule>
  readonly accesses: ReadonlyArray<PersonalAccess>
}

/** What an erasure took away, and what stays. */
export interface Erasure {
  readonly identityId: string
  readonly sessions: number
  readonly documents: number
  readonly taxSchedules: number
  /** Orders stay, with amounts and no names: the law makes whoever moves money keep them. */
  readonly keptOrders: number
}

/** What people and businesses may ask of those who hold their data (GDPR articles 15 and 17, LGPD article 18). */
export class DataSubjects extends Context.Service<
  DataSubjects,
  {
    /** Everything that is held of an identity but its documents' bytes. */
    readonly export: (projectId: ProjectId, identityId: string) => Effect.Effect<HeldData, DataSubjectNotFound>
    /**
     * Destroys the key of an identity's data, also in the files of the database, and removes its documents, the fingerprints of its
     * documents' numbers, its verification, its registrations and links with customers of providers and its tax schedules. Again: completes what was left.
     */
    readonly erase: (
      projectId: ProjectId,
      identityId: string
    ) => Effect.Effect<Erasure, DataSubjectNotFound | OrdersUnderWay | UpstreamUnavailable>
    /**
     * Erases an identity again whose data a restored backup has brought back. Its orders may be pending there, and end without these
     * data. False where the backup has no such identity.
     */
    readonly repeatErasure: (projectId: ProjectId, identityId: string) => Effect.Effect<boolean, UpstreamUnavailable>
    /** Erases identities that nothing but sessions refused or expired before this instant have. How many. */
    readonly eraseRefused: (before: DateTime.Utc) => Effect.Effect<number>
    /** Who has read personal data, the latest first; of one identity where it is given. */
    readonly accesses: (
      projectId: ProjectId,
      identityId: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PersonalAccess>>
  }
>()("@countersign/core/data-subjects/DataSubjects") {
  static readonly layer = Layer.effect(
    DataSubjects,
    Effect.gen(function* () {
      const sessions = yield* VerificationSessionStore
      const vault = yield* PersonalVault
      const documents = yield* Documents
      const verified = yield* VerifiedIndividuals
      const customers = yield* ProviderCustomers
      const registrations = yield* ProviderRegistrationStore
      const orders = yield* FiatOrderStore
      const schedules = yield* TaxScheduleStore
      const log = yield* PersonalAccesses
      const outbox = yield* EventOutbox
      const unit = yield* UnitOfWork
      const records = yield* ErasureRecords

      const held = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
        const individualId = IndividualId.make(identityId)
        const found = yield* Effect.all({
          stored: sessions.ofIdentity(projectId, identityId),
          people: verified.list(projectId),
          linked: customers.list(projectId, individualId),
          registered: registrations.ofIdentity(projectId, identityId),
          fiatOrders: orders.list({ projectId, individualId, limit: ALL }),
          taxSchedules: schedules.ofIndividual(projectId, identityId)
        })
        const { fiatOrders, linked, people, registered, stored, taxSchedules } = found
        const verifiedAt = people.find(({ id }) => id === individualId)?.verifiedAt ?? null
        const isKnown =
          verifiedAt !== null || [stored, linked, registered, fiatOrders, taxSchedules].some(({ length }) => length > 0)
        return isKnown ? { ...found, verifiedAt } : yield* new DataSubjectNotFound({ identityId })
      })

      const record = Effect.fnUntraced(function* (
        projectId: ProjectId,
        identityId: string,
        action: PersonalAccess["action"]
      ) {
        const reader = yield* PersonalDataReader
        yield* log.record({ projectId, identityId, action, reader, lastAt: yield* DateTime.now })
      })

      const opened = ({ sealed, session }: StoredSession) =>
        Effect.map(vault.open(session.identityId, sealed), (text) => ({
          session,
          personal: text === null ? null : personalDataOf(text)
        }))

      /** A session that nobody can decide any more ends as one whose documents did not come, or that was refused. */
      const end = Effect.fnUntraced(function* (before: VerificationSession) {
        const status = before.status === "PENDING" ? ("EXPIRED" as const) : ("FAILED" as const)
        const after = { ...before, status, reason: null, updatedAt: yield* DateTime.now }
        if (yield* sessions.move(after, before.status)) yield* outbox.append(sessionMoved(after, before.status))
      })

      const isErased = Effect.fnUntraced(function* ({ id, identityId, projectId }: VerificationSession) {
        const stored = yield* sessions.find(projectId, id)
        return stored === null || (yield* vault.open(identityId, stored.sealed)) === null
      })

      /** The owners of an identity's sessions who are in no other session of the project that is not erased. */
      const ownersOfNoOther = Effect.fnUntraced(function* (
        projectId: ProjectId,
        identityId: string,
        all: ReadonlyArray<VerificationSession>
      ) {
        const owners = new Set(all.flatMap(({ ownerIds }) => ownerIds))
        if (owners.size === 0) return []
        const peopleOf = (session: VerificationSession) => [session.identityId, ...session.ownerIds]
        const others = (yield* sessions.list(projectId, null)).filter(
          (session) => session.identityId !== identityId && peopleOf(session).some((id) => owners.has(id))
        )
        const erased = yield* Effect.forEach(others, isErased)
        const known = new Set(others.filter((_, nth) => !erased[nth]).flatMap(peopleOf))
        return [...owners].filter((id) => !known.has(id))
      })

      /** Fails while an order is pending, whose provider may need the data. */
      const requireNoPendingOrder = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
        const { fiatOrders } = yield* held(projectId, identityId)
        const pending = fiatOrders.filter(({ state }) => !isOrderOver(state))
        if (pending.length > 0) return yield* new OrdersUnderWay({ identityId, orders: pending.length })
      })

      const erase = Effect.fnUntraced(function* (projectId: ProjectId, identityId: string) {
        const { fiatOrders, stored, taxSchedules } = yield* held(projectId, identityId)
        const all = stored.map(({ session }) => session)
        const keys = all.flatMap((session) => session.documents.map(({ key }) => key))
        const removeDocuments = Effect.gen(function* () {
          const present = yield* documents.present(keys)
          yield* documents.remove([...present])
          return present.size
        })
        // First, so that an identity whose documents can't be removed now is found again by the sweep.
        const removed = yield* removeDocuments
        yield* unit.run(
          Effect.gen(function* () {
            yield* Effect.forEach(
              all.filter(({ status }) => !isOver(status)),
              end
            )
            const people = [identityId, ...(yield* ownersOfNoOther(projectId, identityId, all))]
            yield* Effect.forEach(people, (id) => sessions.forget(projectId, id))
            yield* Effect.forEach(people, (id) => verified.revoke(projectId, IndividualId.make(id)))
            yield* Effect.forEach(people, (id) => registrations.forget(projectId, id))
            yield* Effect.forEach(people, (id) => customers.forget(projectId, IndividualId.make(id)))
            yield* Effect.forEach(taxSchedules, ({ walletAddress }) => schedules.remove(projectId, walletAddress))
            yield* schedules.forget(projectId, identityId)
            yield* vault.erase(identityId)
            yield* record(projectId, identityId, "ERASED")
          })
        )
        // An upload that ended between the first removal and the end of the key. One that ends later finds no key.
        const late = yield* removeDocuments
        return {
          identityId,
          sessions: all.length,
          documents: removed + late,
          taxSchedules: taxSchedules.length,
          keptOrders: fiatOrders.length
        }
      })

      return DataSubjects.of({
        export: Effect.fn("DataSubjects.export")(function* (projectId, identityId) {
          const { fiatOrders, linked, registered, stored, taxSchedules, verifiedAt } = yield* held(
            projectId,
            identityId
          )
          yield* record(projectId, identityId, "EXPORTED")
          const accesses = yield* log.list(projectId, identityId, ACCESSES)
          return {
            identityId,
            verifiedAt,
            sessions: yield* Effect.forEach(stored, opened),
            customers: linked,
            registrations: registered.map(({ registration }) => registration),
            fiatOrders,
            taxSchedules,
            accesses
          }
        }),
        erase: Effect.fn("DataSubjects.erase")(function* (projectId, identityId) {
          yield* requireNoPendingOrder(projectId, identityId)
          yield* records.record({ projectId, identityId })
          const erasure = yield* erase(projectId, identityId)
          yield* vault.purge
          return erasure
        }),
        repeatErasure: Effect.fn("DataSubjects.repeatErasure")(function* (projectId, identityId) {
          const isThere = yield* erase(projectId, identityId).pipe(
            Effect.provideService(PersonalDataReader, "retention"),
            Effect.as(true),
            Effect.catchTag("DATA_SUBJECT_NOT_FOUND", () => Effect.succeed(false))
          )
          yield* vault.purge
          return isThere
        }),
        eraseRefused: Effect.fn("DataSubjects.eraseRefused")(function* (before) {
          const due = yield* sessions.refused(before, SWEEP_BATCH)
          const erased = yield* Effect.forEach(due, ({ identityId, projectId }) =>
            Effect.andThen(requireNoPendingOrder(projectId, identityId), erase(projectId, identityId)).pipe(
              Effect.provideService(PersonalDataReader, "retention"),
              Effect.as(1),
              // An order of somebody whose verification an operator had given by hand, or documents that can't be removed now.
              Effect.orElseSucceed(() => 0)
            )
          )
          const count = erased.reduce<number>((sum, one) => sum + one, 0)
          // Once for all rounds of a backlog. Where the database can't be purged now, or an erasure was interrupted, a later round does it.
          if (due.length < SWEEP_BATCH) yield* Effect.ignore(vault.purge)
          return count
        }),
        accesses: (projectId, identityId, limit) => log.list(projectId, identityId, limit)
      })
    })
  )
}
