import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Address } from "../../foundation/primitives/index.ts"
import { fiatCodes, type TokenRef, tokenKey } from "../../foundation/tokens/index.ts"
import { MarketData } from "./MarketData.ts"

export interface MarketDataSample {
  readonly now: DateTime.Utc
  /** Tokens with a price now, one hour ago, 30 days ago and one year ago. */
  readonly knownTokens: ReadonlyArray<TokenRef>
  readonly hasRates: boolean
}

const UNKNOWN: TokenRef = { chainId: 1, address: Address.make(`0x${"12".repeat(20)}`) }

/** Contract tests that every source of `MarketData` must pass. */
export const marketDataContract = <E>(name: string, layer: Layer.Layer<MarketData, E>, sample: MarketDataSample) =>
  withLayer(layer)(`MarketData: ${name}`, (it) => {
    const atNow = TestClock.setTime(DateTime.toEpochMillis(sample.now))
    const hoursAgo = (hours: number) => DateTime.subtract(sample.now, { hours })

    it.effect("returns prices above zero, and no entry for unknown tokens", () =>
      Effect.gen(function* () {
        yield* atNow
        const market = yield* MarketData
        const prices = yield* market.prices([UNKNOWN, ...sample.knownTokens])
        assert.sameMembers([...prices.keys()], sample.knownTokens.map(tokenKey))
        for (const price of prices.values()) {
          assert.isTrue(price.usd > 0n)
          assert.isTrue(DateTime.isLessThanOrEqualTo(price.at, sample.now))
          assert.notStrictEqual(price.source, "")
        }
        assert.strictEqual((yield* market.prices([])).size, 0)
      })
    )

    it.effect("returns past prices in the order of the times, none of them later than the requested time", () =>
      Effect.gen(function* () {
        yield* atNow
        const market = yield* MarketData
        const times = [hoursAgo(24 * 365), hoursAgo(1), hoursAgo(24 * 30)]
        for (const token of sample.knownTokens) {
          const prices = yield* market.pastPrices(token, times)
          assert.strictEqual(prices.length, times.length)
          for (const [i, price] of prices.entries()) {
            assert.isTrue(price!.usd > 0n)
            assert.isTrue(DateTime.isLessThanOrEqualTo(price!.at, times[i]!))
            assert.isAbove(DateTime.toEpochMillis(price!.at), DateTime.toEpochMillis(times[i]!) - 25 * 3_600_000)
          }
          assert.deepStrictEqual(yield* market.pastPrices(token, times), prices)
        }
        assert.deepStrictEqual(yield* market.pastPrices(UNKNOWN, times), [null, null, null])
        assert.deepStrictEqual(yield* market.pastPrices(sample.knownTokens[0]!, []), [])
      })
    )

    it.effect("returns rates of the listed currencies per US dollar, now and in the past, or no rates", () =>
      Effect.gen(function* () {
        yield* atNow
        const market = yield* MarketData
        const day = DateTime.startOf(hoursAgo(24 * 40), "day")
        for (const rates of [yield* market.rates, yield* market.pastRates(day)]) {
          if (!sample.hasRates) assert.isNull(rates)
          else {
            assert.strictEqual(rates!.perUsdE18.get("usd"), 10n ** 18n)
            assert.sameMembers([...rates!.perUsdE18.keys()], [...fiatCodes])
            for (const [code, rate] of rates!.perUsdE18) assert.isTrue(rate > 0n, code)
          }
        }
      })
    )
  })
