import { Context, type DateTime, Effect, Layer } from "effect"
import type { TaxSchedule } from "../../accounting/tax/index.ts"
import type { FiatOrder, ProviderCustomer, ProviderRegistration } from "../../fiat/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import {
  type PersonalAccess,
  PersonalAccesses,
  type PersonalData,
  PersonalDataReader,
  PersonalVault,
  personalDataOf,
  type StoredSession,
  type VerificationSession,
  VerificationSessionStore
} from "../../identity/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { ErasureRecords } from "./ErasureRecords.ts"
import { type Erasure, erasures } from "./erasures.ts"
import type { DataSubjectNotFound, OrdersPending } from "./errors.ts"
import { accessRecords, heldData } from "./heldData.ts"

const ACCESSES = 10_000
const SWEEP_BATCH = 20

/** The stored data about a person or a business, without the content of documents. */
export interface SubjectData {
  readonly identityId: string
  /** Null if the identity is not verified. */
  readonly verifiedAt: DateTime.Utc | null
  /** Latest first. `personal` is null after it was erased. */
  readonly sessions: ReadonlyArray<{ readonly session: VerificationSession; readonly personal: PersonalData | null }>
  /** The links to customer records at fiat providers. */
  readonly customers: ReadonlyArray<ProviderCustomer>
  readonly registrations: ReadonlyArray<ProviderRegistration>
  readonly fiatOrders: ReadonlyArray<FiatOrder>
  readonly taxSchedules: ReadonlyArray<TaxSchedule>
  readonly accesses: ReadonlyArray<PersonalAccess>
}

/** Handles access and erasure requests of data subjects (GDPR articles 15 and 17, LGPD article 18). */
export class DataSubjects extends Context.Service<
  DataSubjects,
  {
    /** Returns the stored data of an identity, except for the content of its documents. */
    readonly export: (projectId: ProjectId, identityId: string) => Effect.Effect<SubjectData, DataSubjectNotFound>
    /**
     * Destroys the key of an identity's data, also in the database files. Deletes its documents, the fingerprints of
     * its document numbers, its verification, its registrations, its links to customer records, and its tax schedules.
     * A repeated call completes an interrupted erasure.
     */
    readonly erase: (
      projectId: ProjectId,
      identityId: string
    ) => Effect.Effect<Erasure, DataSubjectNotFound | OrdersPending | UpstreamUnavailable>
    /**
     * Repeats the erasure of an identity after a restore from a backup that contains its data. Orders that are pending
     * in the backup continue without the data. Returns false if the backup does not contain the identity.
     */
    readonly repeatErasure: (projectId: ProjectId, identityId: string) => Effect.Effect<boolean, UpstreamUnavailable>
    /**
     * Erases a batch of identities whose sessions were all rejected or expired before this time, and that are not
     * verified. Returns the number of erased identities.
     */
    readonly eraseRejected: (before: DateTime.Utc) => Effect.Effect<number>
    /** Returns the accesses to personal data, latest first. If an identity is given, returns only its accesses. */
    readonly listAccesses: (
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
      const log = yield* PersonalAccesses
      const readHeldData = yield* heldData
      const record = yield* accessRecords
      const records = yield* ErasureRecords
      const { erase, eraseRejected, requireNoPendingOrder } = yield* erasures

      const openSession = ({ sealed, session }: StoredSession) =>
        Effect.map(vault.open(session.identityId, sealed), (text) => ({
          session,
          personal: text === null ? null : personalDataOf(text)
        }))

      return DataSubjects.of({
        export: Effect.fn("DataSubjects.export")(function* (projectId, identityId) {
          const {
            fiatOrders,
            linked: linkedCustomers,
            registered: storedRegistrations,
            stored: storedSessions,
            taxSchedules,
            verifiedAt
          } = yield* readHeldData(projectId, identityId)
          yield* record(projectId, identityId, "EXPORTED")
          const accesses = yield* log.list(projectId, identityId, ACCESSES)
          return {
            identityId,
            verifiedAt,
            sessions: yield* Effect.forEach(storedSessions, openSession),
            customers: linkedCustomers,
            registrations: storedRegistrations.map(({ registration }) => registration),
            fiatOrders,
            taxSchedules,
            accesses
          }
        }),
        erase: Effect.fn("DataSubjects.erase")(function* (projectId, identityId) {
          yield* requireNoPendingOrder(projectId, identityId)
          yield* records.record({ projectId, identityId })
          // Checked again, because an order may have started while the erasure record was written.
          yield* requireNoPendingOrder(projectId, identityId)
          const erasure = yield* erase(projectId, identityId)
          yield* vault.purge
          return erasure
        }),
        repeatErasure: Effect.fn("DataSubjects.repeatErasure")(function* (projectId, identityId) {
          const exists = yield* erase(projectId, identityId).pipe(
            Effect.provideService(PersonalDataReader, "retention"),
            Effect.as(true),
            Effect.catchTag("DATA_SUBJECT_NOT_FOUND", () => Effect.succeed(false))
          )
          yield* vault.purge
          return exists
        }),
        eraseRejected: Effect.fn("DataSubjects.eraseRefused")(function* (before) {
          const rejectedIdentities = yield* sessions.listRejected(before, SWEEP_BATCH)
          const erasedCounts = yield* Effect.forEach(rejectedIdentities, ({ identityId, projectId }) =>
            Effect.andThen(
              requireNoPendingOrder(projectId, identityId),
              eraseRejected(projectId, identityId, before)
            ).pipe(
              Effect.provideService(PersonalDataReader, "retention"),
              Effect.as(1),
              // Skips an identity that has a pending order or is used again, or whose documents can't be deleted now.
              Effect.orElseSucceed(() => 0)
            )
          )
          const count = erasedCounts.reduce<number>((sum, one) => sum + one, 0)
          // Purges once, after the last batch. If the purge fails, or if an erasure was interrupted, a later run
          // purges.
          if (rejectedIdentities.length < SWEEP_BATCH) yield* Effect.ignore(vault.purge)
          return count
        }),
        listAccesses: (projectId, identityId, limit) => log.list(projectId, identityId, limit)
      })
    })
  )
}
