import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TaxScheduleStore } from "../../accounting/tax/index.ts"
import { aTaxSchedule } from "../../accounting/tax/TaxSchedule.fixture.ts"
import { type FiatOrder, FiatOrderStore, ProviderCustomers, ProviderRegistrationStore } from "../../fiat/index.ts"
import { aFiatOrder, aFiatQuote } from "../../fiat/orders/FiatOrder.fixture.ts"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  Documents,
  PersonalAccesses,
  PersonalDataReader,
  PersonalVault,
  type StoredSession,
  type VerificationSession,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { aSession } from "../../identity/sessions/VerificationSessionStore.contract.ts"
import { EventId, EventOutbox } from "../events/index.ts"
import { DataSubjects } from "./DataSubjects.ts"
import { ErasureRecords } from "./ErasureRecords.ts"

const order = aFiatOrder(aFiatQuote())
const { individualId, projectId } = order.quote

/** Provides an individual's sessions, which the test reads and changes, and records the erased keys and events. */
const aSubject = (...storedSessions: ReadonlyArray<VerificationSession>) => {
  const subject = {
    sessions: [...storedSessions],
    erasedKeys: [] as Array<string>,
    events: [] as Array<string>,
    /** The sessions in the events. */
    snapshots: [] as Array<string>,
    /** Runs before documents are removed. */
    beforeRemoval: () => {}
  }
  const listSessions = () =>
    Effect.sync(() => subject.sessions.map((session): StoredSession => ({ session, sealed: "sealed" })))
  const stores = Layer.mergeAll(
    Layer.mock(VerificationSessionStore, {
      listByIdentity: listSessions,
      listRejected: () => Effect.succeed([{ projectId, identityId: individualId }]),
      lockIdentity: () => Effect.void,
      recordTransition: (session, from) =>
        Effect.sync(() => {
          const index = subject.sessions.findIndex(({ id, status }) => id === session.id && status === from)
          if (index >= 0) subject.sessions[index] = session
          return index >= 0
        }),
      erase: () => Effect.void
    }),
    Layer.mock(VerifiedIndividuals, {
      list: () => Effect.succeed([]),
      isVerified: () => Effect.succeed(false),
      revoke: () => Effect.succeed(true)
    }),
    Layer.mock(ProviderCustomers, { list: () => Effect.succeed([]), erase: () => Effect.void }),
    Layer.mock(ProviderRegistrationStore, { listByIdentity: () => Effect.succeed([]), erase: () => Effect.void }),
    Layer.mock(FiatOrderStore, { list: () => Effect.succeed([]) }),
    Layer.mock(TaxScheduleStore, { listByIndividual: () => Effect.succeed([]), erase: () => Effect.void }),
    Layer.mock(PersonalVault, {
      problem: null,
      erase: (id) => Effect.sync(() => subject.erasedKeys.push(id) > 0),
      purge: Effect.void
    }),
    Layer.mock(Documents, {
      problem: null,
      existingKeys: (keys) => Effect.succeed(new Set(keys)),
      remove: () => Effect.sync(() => subject.beforeRemoval())
    }),
    Layer.mock(PersonalAccesses, { record: () => Effect.void }),
    Layer.mock(EventOutbox, {
      append: (event) =>
        Effect.sync(() => {
          subject.events.push(event.type)
          subject.snapshots.push(event.snapshot)
          return { ...event, id: EventId.make(`msg_${subject.events.length}`), sequence: subject.events.length }
        })
    }),
    Layer.succeed(UnitOfWork, { run: (work) => work }),
    Layer.succeed(ErasureRecords, { record: () => Effect.void })
  )
  return { subject, layer: DataSubjects.layer.pipe(Layer.provide(stores)) }
}

const aSessionOfIndividual = (fields: Partial<VerificationSession> = {}) =>
  aSession({ projectId, kind: "individual", identityId: individualId, ownerIds: [], ...fields })

describe("An erasure", () => {
  it.effect("ends a session that another request moves while its documents are deleted", () => {
    const { layer, subject } = aSubject(aSessionOfIndividual())
    subject.beforeRemoval = () => {
      subject.beforeRemoval = () => {}
      subject.sessions = subject.sessions.map((session) => ({ ...session, status: "IN_REVIEW" }))
    }
    return Effect.gen(function* () {
      const { erase } = yield* DataSubjects
      yield* Effect.provideService(erase(projectId, individualId), PersonalDataReader, "operator")
      assert.deepStrictEqual(
        subject.sessions.map(({ status }) => status),
        ["FAILED"]
      )
      assert.deepStrictEqual(subject.events, ["kyc.session.failed"])
      assert.include(subject.snapshots[0], `"metadata":{}`)
      assert.deepStrictEqual(subject.erasedKeys, [individualId])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a rejected identity does not happen if the identity starts another session", () => {
    const rejectedSession = aSessionOfIndividual({ status: "FAILED", updatedAt: at(0) })
    const startedSession = aSessionOfIndividual()
    const { layer, subject } = aSubject(rejectedSession, startedSession)
    const { layer: laterLayer, subject: laterSubject } = aSubject(rejectedSession)
    laterSubject.beforeRemoval = () => {
      laterSubject.sessions = [startedSession, rejectedSession]
    }
    const { layer: rejectedLayer, subject: rejectedSubject } = aSubject(rejectedSession)
    const eraseRejected = DataSubjects.use(({ eraseRejected }) => eraseRejected(at(1_000)))
    return Effect.gen(function* () {
      subject.beforeRemoval = () => assert.fail("documents of a pending session were removed")
      assert.strictEqual(yield* Effect.provide(eraseRejected, layer), 0)
      assert.strictEqual(yield* Effect.provide(eraseRejected, laterLayer), 0)
      assert.deepStrictEqual([subject.sessions[1], laterSubject.sessions[0]], [startedSession, startedSession])
      assert.isEmpty([...subject.erasedKeys, ...laterSubject.erasedKeys])
      assert.strictEqual(yield* Effect.provide(eraseRejected, rejectedLayer), 1)
      assert.deepStrictEqual(rejectedSubject.erasedKeys, [individualId])
    })
  })

  it.effect("is rejected if an order starts while it is recorded", () => {
    let hasOrder = false
    const stores = Layer.mergeAll(
      Layer.mock(VerificationSessionStore, { listByIdentity: () => Effect.succeed([]) }),
      Layer.mock(VerifiedIndividuals, { list: () => Effect.succeed([]) }),
      Layer.mock(ProviderCustomers, {
        list: () => Effect.succeed([{ individualId, provider: "bank", customerId: "customer-1" }] as never)
      }),
      Layer.mock(ProviderRegistrationStore, { listByIdentity: () => Effect.succeed([]) }),
      Layer.mock(FiatOrderStore, { list: () => Effect.sync(() => (hasOrder ? [order] : [])) }),
      Layer.mock(TaxScheduleStore, { listByIndividual: () => Effect.succeed([]) }),
      // The test must not erase anything, so any call of these ports fails it.
      Layer.mock(PersonalVault, { problem: null }),
      Layer.mock(Documents, { problem: null }),
      Layer.mock(PersonalAccesses, {}),
      Layer.mock(EventOutbox, {}),
      Layer.mock(UnitOfWork, {}),
      Layer.succeed(ErasureRecords, {
        record: () =>
          Effect.sync(() => {
            hasOrder = true
          })
      })
    )
    return Effect.gen(function* () {
      const { erase } = yield* DataSubjects
      assert.strictEqual((yield* Effect.flip(erase(projectId, individualId)))._tag, "ORDERS_PENDING")
    }).pipe(Effect.provide(DataSubjects.layer.pipe(Layer.provide(stores))))
  })

  describe("of a business", () => {
    const session = { ...aSession({ projectId, ownerIds: ["own_1"] }), status: "COMPLETED" as const }
    const schedule = aTaxSchedule({ projectId, individual: { type: "individual", individualId: "own_1" } })

    /** Erases the business. Returns the failure, or the ids and wallets that were erased. */
    const eraseBusiness = (ordersOfOwner: ReadonlyArray<FiatOrder>) => {
      const erasedItems: Array<string> = []
      const add = (id: string) => Effect.sync(() => erasedItems.push(id) > 0)
      const addVoid = (id: string) => Effect.asVoid(add(id))
      const ofOwner = <A>(id: string, all: ReadonlyArray<A>) => Effect.succeed(id === "own_1" ? all : [])
      const stores = Layer.mergeAll(
        Layer.mock(VerificationSessionStore, {
          listByIdentity: () => Effect.succeed([{ session, sealed: "sealed" }]),
          list: () => Effect.succeed([session]),
          lockIdentity: () => Effect.void,
          erase: () => Effect.void
        } as Partial<VerificationSessionStore["Service"]>),
        Layer.mock(VerifiedIndividuals, { list: () => Effect.succeed([]), revoke: () => Effect.succeed(true) }),
        Layer.mock(ProviderCustomers, { list: () => Effect.succeed([]), erase: () => Effect.void }),
        Layer.mock(ProviderRegistrationStore, { listByIdentity: () => Effect.succeed([]), erase: () => Effect.void }),
        Layer.mock(FiatOrderStore, { list: ({ individualId = "" }) => ofOwner(individualId, ordersOfOwner) }),
        Layer.mock(TaxScheduleStore, {
          listByIndividual: (_projectId, id) => ofOwner(id, [schedule]),
          remove: (_projectId, wallet) => add(wallet),
          erase: (_projectId, id) => addVoid(`schedules of ${id}`)
        }),
        Layer.mock(PersonalVault, { problem: null, erase: (id) => add(`key of ${id}`), purge: Effect.void }),
        Layer.mock(Documents, {
          problem: null,
          existingKeys: () => Effect.succeed(new Set<string>()),
          remove: () => Effect.void
        }),
        Layer.mock(PersonalAccesses, { record: () => Effect.void }),
        Layer.mock(EventOutbox, {}),
        Layer.succeed(UnitOfWork, { run: (work) => work }),
        Layer.succeed(ErasureRecords, { record: () => Effect.void })
      )
      return DataSubjects.use(({ erase }) => erase(projectId, session.identityId)).pipe(
        Effect.map(({ taxSchedules }) => ({ erasedItems, taxSchedules })),
        Effect.provideService(PersonalDataReader, "operator"),
        Effect.provide(DataSubjects.layer.pipe(Layer.provide(stores)))
      )
    }

    it.effect("is rejected while an owner whose data it erases has a pending order", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(eraseBusiness([order])))._tag, "ORDERS_PENDING")
        yield* eraseBusiness([{ ...order, state: "COMPLETED" }])
      })
    )

    it.effect("includes the tax schedules and the keys of these owners", () =>
      Effect.gen(function* () {
        const { erasedItems, taxSchedules } = yield* eraseBusiness([])
        assert.strictEqual(taxSchedules, 1)
        assert.sameMembers(erasedItems, [
          schedule.walletAddress,
          ...[session.identityId, "own_1"].flatMap((id) => [`schedules of ${id}`, `key of ${id}`])
        ])
      })
    )
  })
})
