import { fiatLimitDefaults } from "@countersign/core/fiat"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { fiatLimits } from "./fiatLimitSettings.ts"

const read = (FIAT_LIMITS?: string) =>
  Effect.provideService(
    fiatLimits,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnvRecord(FIAT_LIMITS === undefined ? {} : { FIAT_LIMITS })
  )

describe("FIAT_LIMITS", () => {
  it.effect("replaces the limits of the ways of payment that it names", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(), {})
      const { fiatLimits: rules } = yield* read("PIX=1/2/3/4, WIRE=0/0/0/0")
      assert.deepStrictEqual(rules?.PIX, {
        perTransaction: 1n,
        daily: 2n,
        monthly: 3n,
        quarterly: 4n,
        timeZone: "America/Sao_Paulo"
      })
      assert.strictEqual(rules?.WIRE.daily, 0n)
      assert.deepStrictEqual(rules?.ACH, fiatLimitDefaults.ACH)
    })
  )

  it.effect("has other limits for the levels that it names", () =>
    Effect.gen(function* () {
      const { fiatLevelLimits, fiatLimits: rules } = yield* read(
        "PIX=1/2/3/4,DOCUMENTS:PIX=5/6/7/8,BUSINESS:ACH=9/9/9/9"
      )
      assert.strictEqual(rules?.PIX.daily, 2n)
      assert.deepStrictEqual(fiatLevelLimits, {
        BASIC: {},
        DOCUMENTS: { PIX: { perTransaction: 5n, daily: 6n, monthly: 7n, quarterly: 8n } },
        BUSINESS: { ACH: { perTransaction: 9n, daily: 9n, monthly: 9n, quarterly: 9n } }
      })
    })
  )

  it.effect("is refused where a figure is missing, a way unknown or named twice", () =>
    Effect.forEach(
      [
        "PIX=1/2/3",
        "PIX=1/2/3/4/5",
        "CASH=1/2/3/4",
        "PIX=1/2/3/-4",
        "PIX=1/2/3/4,PIX=1/2/3/4",
        "PIX",
        "GOLD:PIX=1/2/3/4",
        ":PIX=1/2/3/4"
      ],
      (text) => Effect.map(Effect.flip(read(text)), (error) => assert.match(String(error), /FIAT_LIMITS/u, text))
    )
  )
})
