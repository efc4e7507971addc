import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { IndividualId } from "../../identity/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { ProviderCustomers } from "../provider/ProviderCustomers.ts"
import { aRegistration } from "./ProviderRegistration.fixture.ts"
import { ProviderRegistrationStore } from "./ProviderRegistrationStore.ts"

export { aRegistration }

/** Contract tests that every `ProviderRegistrationStore` must pass. */
export const providerRegistrationStoreContract = <E>(
  name: string,
  layer: Layer.Layer<ProviderRegistrationStore | ProviderCustomers, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`ProviderRegistrationStore: ${name}`, (it) => {
    it.effect("stores one registration per identity and provider, only for its project", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const firstRegistration = aRegistration({ fields: ["email"], status: "ACTION_REQUIRED" })
        const { identityId, projectId } = firstRegistration
        const otherRegistration = { ...firstRegistration, provider: "blindpay" }
        yield* store.store({ registration: firstRegistration, sealed: null }, at(1))
        yield* store.store({ registration: otherRegistration, sealed: null }, at(1))
        const secondRegistration = { ...firstRegistration, status: "PENDING" as const, fields: [], attempt: 1 }
        yield* store.store({ registration: secondRegistration, sealed: "sealed" }, at(2))
        assert.deepStrictEqual(yield* store.listByIdentity(projectId, identityId), [
          { registration: otherRegistration, sealed: null },
          { registration: secondRegistration, sealed: "sealed" }
        ])
        assert.deepStrictEqual(yield* store.listByIdentity(aProjectId(), identityId), [])
        yield* store.erase(projectId, identityId)
        assert.deepStrictEqual(yield* store.listByIdentity(projectId, identityId), [])
      })
    )

    it.effect("stores a response only for the current attempt", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const registration = aRegistration()
        yield* store.store({ registration, sealed: "s" }, at(1))
        const rejectedRegistration = { ...registration, status: "REJECTED" as const, reason: "dark", updatedAt: at(5) }
        assert.isFalse(yield* store.recordOutcome({ ...rejectedRegistration, attempt: 1 }, at(1), null))
        assert.isFalse(yield* store.recordOutcome({ ...rejectedRegistration, sessionId: "kyc_other" }, at(1), null))
        assert.isTrue(yield* store.recordOutcome(rejectedRegistration, at(1), null))
        assert.deepStrictEqual(yield* store.listByIdentity(registration.projectId, registration.identityId), [
          { registration: rejectedRegistration, sealed: "s" }
        ])
      })
    )

    it.effect("assigns a due registration to one caller at a time", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const registration = aRegistration()
        yield* store.store({ registration, sealed: null }, at(-5_000))
        const countTaken = (now: number, until: number) =>
          Effect.map(store.claimDue(at(now), at(until), 100, registration), (due) => due.length)
        assert.strictEqual(yield* countTaken(-5_001, 0), 0)
        const claims = yield* Effect.all([countTaken(-5_000, -4_000), countTaken(-5_000, -4_000)], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(claims.toSorted(), [0, 1])
        assert.strictEqual(yield* countTaken(-4_001, 0), 0)
        assert.lengthOf(
          (yield* store.claimDue(at(-4_000), at(-3_000), 1_000, null)).filter(
            (due) => due.registration.identityId === registration.identityId
          ),
          1
        )
        yield* store.recordOutcome(registration, at(-5_000), null)
        assert.strictEqual(yield* countTaken(9_999, 10_000), 0)
      })
    )

    it.effect("returns a registration that is woken during its check to the next caller after the check", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const customers = yield* ProviderCustomers
        const registration = aRegistration({ status: "ACTIVE" })
        const { identityId, projectId, provider } = registration
        const customer = aUuid()
        yield* customers.link(projectId, IndividualId.make(identityId), { provider, customer })
        yield* store.store({ registration, sealed: null }, at(0))
        const [claimedRegistration] = yield* store.claimDue(at(1), at(100), 10, registration)
        assert.isTrue(yield* store.wake(provider, customer, at(2)))
        assert.lengthOf(yield* store.claimDue(at(3), at(103), 10, registration), 0)
        assert.isTrue(yield* store.recordOutcome(registration, claimedRegistration!.dueAt, null))
        assert.lengthOf(yield* store.claimDue(at(4), at(104), 10, registration), 1)
      })
    )

    it.effect("wakes the registration of a provider's customer", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const customers = yield* ProviderCustomers
        const registration = aRegistration({ status: "ACTIVE" })
        const { identityId, projectId } = registration
        const customer = aUuid()
        yield* store.store({ registration, sealed: null }, at(0))
        yield* store.recordOutcome(registration, at(0), null)
        assert.isFalse(yield* store.wake("bridge", customer, at(1)))
        yield* customers.link(projectId, IndividualId.make(identityId), { provider: "bridge", customer })
        assert.isFalse(yield* store.wake("blindpay", customer, at(1)))
        assert.isTrue(yield* store.wake("bridge", customer, at(1)))
        assert.lengthOf(yield* store.claimDue(at(1), at(2), 10, registration), 1)
      })
    )

    it.effect("counts registrations that are not active, with the time since when they have waited", () =>
      Effect.gen(function* () {
        const store = yield* ProviderRegistrationStore
        const provider = aUuid()
        for (const [status, updated] of [
          ["PENDING", 3],
          ["PENDING", 2],
          ["ACTIVE", 1],
          ["REJECTED", 4]
        ] as const) {
          yield* store.store(
            { registration: aRegistration({ provider, status, updatedAt: at(updated) }), sealed: null },
            at(0)
          )
        }
        const waits = (yield* store.countPending).filter((wait) => wait.provider === provider)
        assert.deepStrictEqual(waits, [
          { provider, status: "PENDING", count: 2, oldestAt: at(2) },
          { provider, status: "REJECTED", count: 1, oldestAt: at(4) }
        ])
      })
    )
  })
}
