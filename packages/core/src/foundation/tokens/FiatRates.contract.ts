import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { FiatRates, fiatCodes } from "./FiatRates.ts"

/** Contract tests that every `FiatRates` source must pass. */
export const fiatRatesContract = <E>(name: string, layer: Layer.Layer<FiatRates, E>) =>
  withLayer(layer)(`FiatRates: ${name}`, (it) => {
    it.effect("returns positive rates of listed currencies, and a rate of one for the US dollar", () =>
      Effect.gen(function* () {
        const rates = yield* (yield* FiatRates).perUsdE18
        for (const [code, rate] of rates) {
          assert.include(fiatCodes, code)
          assert.isTrue(rate > 0n, code)
        }
        if (rates.size > 0) assert.strictEqual(rates.get("usd"), 10n ** 18n)
      })
    )

    it.effect("returns the current rates for today, and rates for every requested day", () =>
      Effect.gen(function* () {
        const { readDailyRates: onDays, perUsdE18 } = yield* FiatRates
        const now = yield* DateTime.now
        const [today, ...before] = yield* onDays([now, ...[1, 400].map((days) => DateTime.subtract(now, { days }))])
        assert.deepStrictEqual(today, yield* perUsdE18)
        assert.strictEqual(before.length, 2)
        assert.deepStrictEqual(yield* onDays([]), [])
      })
    )
  })
