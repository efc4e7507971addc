import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { PersonalAccesses, PersonalVault, VerificationSessionStore, VerifiedIndividuals } from "../../identity/index.ts"
import { aSession } from "../../identity/sessions/VerificationSessionStore.contract.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { type CustomerRegistration, type FiatProvider, FiatProviders } from "../provider/FiatProvider.ts"
import { ProviderCustomers } from "../provider/ProviderCustomers.ts"
import { aRegistration } from "./ProviderRegistration.fixture.ts"
import type { ProviderRegistration } from "./ProviderRegistration.ts"
import { ProviderRegistrationStore } from "./ProviderRegistrationStore.ts"
import { ProviderRegistrations } from "./ProviderRegistrations.ts"

type Register = CustomerRegistration["register"]

/** Checks due registrations, and returns the stored ones. */
const checkDueRegistrations = (due: ReadonlyArray<ProviderRegistration>, register: Register) =>
  Effect.gen(function* () {
    const storedRegistrations: Array<ProviderRegistration> = []
    const nextChecks: Array<DateTime.Utc | null> = []
    const customers = { register, serves: () => true, termsLink: null }
    const provider = { name: "bridge", customers } as Partial<FiatProvider> as FiatProvider
    const services = ProviderRegistrations.layer.pipe(
      Layer.provide([
        Layer.succeed(FiatProviders, [provider]),
        Layer.mock(ProviderRegistrationStore, {
          claimDue: () => Effect.succeed(due.map((registration) => ({ registration, sealed: null, dueAt: at(0) }))),
          recordOutcome: (registration, _dueAt, checkAt) =>
            Effect.sync(() => {
              nextChecks.push(checkAt)
              return storedRegistrations.push(registration) > 0
            })
        }),
        Layer.mock(VerificationSessionStore, {
          find: () => Effect.succeed({ session: aSession(), sealed: "sealed" })
        }),
        Layer.mock(EventOutbox, { append: (event) => Effect.succeed(event as never) }),
        Layer.succeed(UnitOfWork, { run: (work) => work }),
        Layer.mock(ProviderCustomers, {}),
        Layer.mock(PersonalVault, { problem: null }),
        Layer.mock(PersonalAccesses, {}),
        Layer.mock(VerifiedIndividuals, { isVerified: () => Effect.succeed(true) })
      ])
    )
    const check = Effect.provide(
      ProviderRegistrations.use(({ checkDue }) => checkDue),
      services
    )
    return { check, nextChecks, storedRegistrations }
  })

describe("Checks of registrations", () => {
  it.effect("continue if one of them fails", () =>
    Effect.gen(function* () {
      const [failingRegistration, validRegistration] = [aRegistration(), aRegistration()]
      const { check, storedRegistrations } = yield* checkDueRegistrations(
        [failingRegistration, validRegistration],
        ({ registration }) =>
          registration.identityId === failingRegistration.identityId
            ? Effect.die(new Error("a document is too large"))
            : Effect.as(Effect.yieldNow, { status: "ACTIVE" })
      )
      assert.strictEqual(yield* check, 2)
      assert.deepStrictEqual(
        storedRegistrations.map(({ identityId, status }) => [identityId, status]),
        [[validRegistration.identityId, "ACTIVE"]]
      )
    })
  )

  it.effect("after a webhook are repeated for a decided registration if the provider does not respond", () =>
    Effect.gen(function* () {
      const updatedAt = yield* DateTime.now
      const decidedRegistrations = (["REJECTED", "ACTIVE"] as const).map((status) =>
        aRegistration({ status, updatedAt })
      )
      const failing = yield* checkDueRegistrations(decidedRegistrations, () =>
        Effect.fail(new UpstreamUnavailable({ upstream: "Bridge", reason: "it responded with HTTP status 500" }))
      )
      yield* failing.check
      const retryAt = DateTime.add(updatedAt, { seconds: 5 })
      assert.deepStrictEqual(failing.nextChecks, [retryAt, retryAt])
      const responding = yield* checkDueRegistrations(decidedRegistrations, () => Effect.succeed({ status: "ACTIVE" }))
      yield* responding.check
      assert.deepStrictEqual(responding.nextChecks, [null, null])
    })
  )

  it.effect("end before another caller may claim the registration", () =>
    Effect.gen(function* () {
      const { check, storedRegistrations } = yield* checkDueRegistrations([aRegistration()], () => Effect.never)
      yield* Effect.forkChild(check)
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(
        storedRegistrations.map(({ status }) => status),
        ["PENDING"]
      )
    })
  )
})
