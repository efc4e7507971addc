import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UnitOfWork } from "../foundation/primitives/index.ts"
import { EventOutbox } from "../tenancy/events/index.ts"
import { PersonalAccesses } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { aVerifyingSession } from "./provider/IdentityProvider.contract.ts"
import { ConfiguredIdentityProvider, type IdentityProvider } from "./provider/IdentityProvider.ts"
import { VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import { VerifiedIndividuals } from "./VerifiedIndividuals.ts"

const layerWith = (
  check: IdentityProvider["check"],
  store: Partial<VerificationSessionStore["Service"]>
): Layer.Layer<VerificationChecks> =>
  Layer.provide(
    VerificationChecks.layer,
    Layer.mergeAll(
      Layer.mock(VerificationSessionStore, store),
      Layer.succeed(ConfiguredIdentityProvider, {
        name: "a provider",
        check,
        readCallback: () => assert.fail("unused")
      }),
      Layer.mock(PersonalVault, { problem: null }),
      Layer.mock(PersonalAccesses, {}),
      Layer.mock(VerifiedIndividuals, {}),
      Layer.mock(EventOutbox, {}),
      Layer.succeed(UnitOfWork, UnitOfWork.of({ run: (effect) => effect }))
    )
  )

describe("VerificationChecks", () => {
  it.effect("continues the other checks if one of them fails", () =>
    Effect.gen(function* () {
      const sessions = [aVerifyingSession("individual"), aVerifyingSession("individual")]
      const endedIds: Array<string> = []
      const checkedCount = yield* VerificationChecks.use(({ checkDue }) => checkDue).pipe(
        Effect.provide(
          layerWith(
            ({ session }) =>
              session.id === sessions[0]!.id
                ? Effect.die(new Error("the personal data can't be decrypted"))
                : Effect.as(Effect.yieldNow, { _tag: "Waiting" }),
            {
              claimDue: (now) => Effect.succeed(sessions.map((session) => ({ session, sealed: "sealed", dueAt: now }))),
              endCheck: (_projectId, id) => Effect.sync(() => void endedIds.push(id))
            }
          )
        )
      )
      assert.strictEqual(checkedCount, 2)
      assert.deepStrictEqual(endedIds, [sessions[1]!.id])
    })
  )

  it.effect("ends a check before its claim expires, and schedules another one", () =>
    Effect.gen(function* () {
      const start = yield* DateTime.now
      const nextChecks: Array<DateTime.Utc> = []
      let claimedUntil = start
      const services = layerWith(() => Effect.never, {
        claimDue: (now, until) => {
          claimedUntil = until
          return Effect.succeed([{ session: aVerifyingSession("individual"), sealed: "sealed", dueAt: now }])
        },
        endCheck: (_projectId, _id, _dueAt, checkAt) => Effect.sync(() => void nextChecks.push(checkAt))
      })
      yield* Effect.gen(function* () {
        const check = yield* Effect.forkChild(VerificationChecks.use(({ checkDue }) => checkDue))
        yield* TestClock.adjust("14 minutes")
        assert.strictEqual(yield* Fiber.join(check), 1)
      }).pipe(Effect.provide(services))
      assert.deepStrictEqual(nextChecks, [DateTime.add(start, { minutes: 15 })])
      assert.isTrue(DateTime.isLessThanOrEqualTo(nextChecks[0]!, claimedUntil))
    })
  )
})
