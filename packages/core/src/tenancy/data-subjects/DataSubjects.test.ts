import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TaxScheduleStore } from "../../accounting/tax/index.ts"
import { aTaxSchedule } from "../../accounting/tax/TaxSchedule.fixture.ts"
import { type FiatOrder, FiatOrderStore, ProviderCustomers, ProviderRegistrationStore } from "../../fiat/index.ts"
import { aFiatOrder, aFiatQuote } from "../../fiat/orders/FiatOrder.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  Documents,
  PersonalAccesses,
  PersonalDataReader,
  PersonalVault,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { aSession } from "../../identity/sessions/VerificationSessionStore.contract.ts"
import { EventOutbox } from "../events/index.ts"
import { DataSubjects } from "./DataSubjects.ts"
import { ErasureRecords } from "./ErasureRecords.ts"

const order = aFiatOrder(aFiatQuote())
const { individualId, projectId } = order.quote

describe("An erasure", () => {
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
