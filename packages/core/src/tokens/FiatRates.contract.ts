import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { FiatRates, fiatCodes } from "./FiatRates.ts"

/** What every source of exchange rates keeps to. */
export const fiatRatesContract = <E>(name: string, layer: Layer.Layer<FiatRates, E>) =>
  withLayer(layer)(`FiatRates: ${name}`, (it) => {
    it.effect("gives positive rates of currencies of the list, and one dollar for a dollar", () =>
      Effect.gen(function* () {
        const rates = yield* (yield* FiatRates).perUsdE18
        for (const [code, rate] of rates) {
          assert.include(fiatCodes, code)
          assert.isTrue(rate > 0n, code)
        }
        if (rates.size > 0) assert.strictEqual(rates.get("usd"), 10n ** 18n)
      })
    )
  })
