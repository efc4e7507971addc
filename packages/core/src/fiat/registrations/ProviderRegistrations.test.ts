import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { PersonalAccesses, PersonalVault, VerificationSessionStore, VerifiedIndividuals } from "../../identity/index.ts"
import { aSession } from "../../identity/sessions/VerificationSessionStore.contract.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { type FiatProvider, FiatProviders, type RegistrationRequest } from "../provider/FiatProvider.ts"
import { ProviderCustomers } from "../provider/ProviderCustomers.ts"
import { aRegistration } from "./ProviderRegistration.fixture.ts"
import type { ProviderRegistration, RegistrationOutcome } from "./ProviderRegistration.ts"
import { ProviderRegistrationStore } from "./ProviderRegistrationStore.ts"
import { ProviderRegistrations } from "./ProviderRegistrations.ts"

type Register = (request: RegistrationRequest) => Effect.Effect<RegistrationOutcome>

/** Checks due registrations, and returns the stored ones. */
const checkDueRegistrations = (due: ReadonlyArray<ProviderRegistration>, register: Register) =>
  Effect.gen(function* () {
    const storedRegistrations: Array<ProviderRegistration> = []
    const customers = { register, serves: () => true, termsLink: null }
    const provider = { name: "bridge", customers } as Partial<FiatProvider> as FiatProvider
    const services = ProviderRegistrations.layer.pipe(
      Layer.provide([
        Layer.succeed(FiatProviders, [provider]),
        Layer.mock(ProviderRegistrationStore, {
          claimDue: () => Effect.succeed(due.map((registration) => ({ registration, sealed: null, dueAt: at(0) }))),
          recordOutcome: (registration) => Effect.sync(() => storedRegistrations.push(registration) > 0)
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
    return { check, storedRegistrations }
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
