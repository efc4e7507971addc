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

  it.effect("is refused where a figure is missing, a way unknown or named twice", () =>
    Effect.forEach(
      ["PIX=1/2/3", "PIX=1/2/3/4/5", "CASH=1/2/3/4", "PIX=1/2/3/-4", "PIX=1/2/3/4,PIX=1/2/3/4", "PIX"],
      (text) => Effect.map(Effect.flip(read(text)), (error) => assert.match(String(error), /FIAT_LIMITS/u, text))
    )
  )
})
