import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  type Country,
  IndividualId,
  type VerificationLevel,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { FiatOrderStore } from "../orders/FiatOrderStore.ts"
import { FiatLevelSettings, FiatLimits, fiatLimitDefaults } from "./FiatLimits.ts"

/** Returns the start of the day of a PIX limit, at 02:30 UTC on 10 May 2026, for an identity of this country. */
const dayStart = (country: Country | null) =>
  Effect.gen(function* () {
    let daily: string | null = null
    yield* TestClock.setTime(Date.parse("2026-05-10T02:30:00Z"))
    const stores = Layer.mergeAll(
      Layer.mock(FiatOrderStore, {
        findLimitOverride: () => Effect.succeed(null),
        readUsed: (_subject, since) => {
          daily = DateTime.formatIso(since.daily)
          return Effect.succeed({ daily: 0n, monthly: 0n, quarterly: 0n })
        }
      }),
      Layer.mock(VerificationSessionStore, { findCountry: () => Effect.succeed(country) }),
      Layer.mock(VerifiedIndividuals, {
        isVerified: () => Effect.succeed(true),
        levelOf: () => Effect.succeed("BASIC" as const)
      }),
      Layer.succeed(UnitOfWork, UnitOfWork.of({ run: (effect) => effect }))
    )
    const subject = {
      projectId: aProjectId(),
      individualId: IndividualId.make("ana"),
      direction: "DEPOSIT",
      method: "PIX"
    } as const
    yield* FiatLimits.use((limits) => limits.require(subject, 1n)).pipe(
      Effect.provide(FiatLimits.layer.pipe(Layer.provide(stores)))
    )
    return daily
  })

describe("The day of a limit", () => {
  it.effect("begins at midnight of the identity's country", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dayStart("BRAZIL"), "2026-05-09T03:00:00.000Z")
      assert.strictEqual(yield* dayStart("PORTUGAL"), "2026-05-09T23:00:00.000Z")
    })
  )

  it.effect("begins at midnight of the payment method's country if the identity's country is unknown", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dayStart(null), "2026-05-09T03:00:00.000Z")
    })
  )
})

describe("the limits of an identity", () => {
  const limitsOf = (perTransaction: bigint) => ({ perTransaction, daily: 100n, monthly: 100n, quarterly: 100n })
  const subject = {
    projectId: aProjectId(),
    individualId: IndividualId.make("ana"),
    direction: "DEPOSIT",
    method: "PIX"
  } as const

  /** Returns the limit per transaction in reais, for an identity of this level. */
  const limitOf = (level: VerificationLevel, ownLimit: bigint | null = null) =>
    FiatLimits.use((limits) => limits.show(subject.projectId, subject.individualId)).pipe(
      Effect.map(
        (states) =>
          states.find(({ direction, method }) => direction === "DEPOSIT" && method === "PIX")!.limits.perTransaction /
          100n
      ),
      Effect.provide(
        FiatLimits.layer.pipe(
          Layer.provide(
            Layer.mergeAll(
              Layer.mock(FiatOrderStore, {
                findLimitOverride: () => Effect.succeed(ownLimit === null ? null : limitsOf(ownLimit)),
                readUsed: () => Effect.succeed({ daily: 0n, monthly: 0n, quarterly: 0n })
              }),
              Layer.mock(VerificationSessionStore, { findCountry: () => Effect.succeed(null) }),
              Layer.mock(VerifiedIndividuals, {
                isVerified: () => Effect.succeed(true),
                levelOf: () => Effect.succeed(level)
              }),
              Layer.succeed(UnitOfWork, UnitOfWork.of({ run: (effect) => effect })),
              Layer.succeed(FiatLevelSettings, { DOCUMENTS: { PIX: limitsOf(70n) }, BUSINESS: { ACH: limitsOf(80n) } })
            )
          )
        )
      )
    )

  it.effect("are its individual limits, otherwise its level's limits, otherwise the default limits", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limitOf("BASIC"), fiatLimitDefaults.PIX.perTransaction)
      assert.strictEqual(yield* limitOf("DOCUMENTS"), 70n)
      // The operator has set no limits for this level and this payment method.
      assert.strictEqual(yield* limitOf("BUSINESS"), fiatLimitDefaults.PIX.perTransaction)
      assert.strictEqual(yield* limitOf("DOCUMENTS", 9n), 9n)
    })
  )
})
