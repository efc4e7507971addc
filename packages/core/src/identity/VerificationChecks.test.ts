import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UnitOfWork } from "../foundation/primitives/index.ts"
import { EventOutbox } from "../tenancy/events/index.ts"
import { PersonalAccesses } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { aVerifyingSession } from "./provider/IdentityProvider.contract.ts"
import { ConfiguredIdentityProvider } from "./provider/IdentityProvider.ts"
import { VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import { VerifiedIndividuals } from "./VerifiedIndividuals.ts"

describe("VerificationChecks", () => {
  it.effect("ends a check before its claim expires, and schedules another one", () =>
    Effect.gen(function* () {
      const start = yield* DateTime.now
      const nextChecks: Array<DateTime.Utc> = []
      let claimedUntil = start
      const ports = Layer.mergeAll(
        Layer.mock(VerificationSessionStore, {
          claimDue: (now, until) => {
            claimedUntil = until
            return Effect.succeed([{ session: aVerifyingSession("individual"), sealed: "sealed", dueAt: now }])
          },
          endCheck: (_projectId, _id, _dueAt, checkAt) => Effect.sync(() => void nextChecks.push(checkAt))
        }),
        Layer.succeed(ConfiguredIdentityProvider, {
          name: "a provider",
          check: () => Effect.never,
          readCallback: () => assert.fail("unused")
        }),
        Layer.mock(PersonalVault, { problem: null }),
        Layer.mock(PersonalAccesses, {}),
        Layer.mock(VerifiedIndividuals, {}),
        Layer.mock(EventOutbox, {}),
        Layer.succeed(UnitOfWork, UnitOfWork.of({ run: (effect) => effect }))
      )
      yield* Effect.gen(function* () {
        const check = yield* Effect.forkChild(VerificationChecks.use(({ checkDue }) => checkDue))
        yield* TestClock.adjust("14 minutes")
        assert.strictEqual(yield* Fiber.join(check), 1)
      }).pipe(Effect.provide(Layer.provide(VerificationChecks.layer, ports)))
      assert.deepStrictEqual(nextChecks, [DateTime.add(start, { minutes: 15 })])
      assert.isTrue(DateTime.isLessThanOrEqualTo(nextChecks[0]!, claimedUntil))
    })
  )
})
