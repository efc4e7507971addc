import { type ExchangeRates, MarketData, type MarketSource, PastPrices } from "@countersign/core/accounting/market-data"
import { fiatRatesContract } from "@countersign/core/contracts/foundation/tokens/FiatRates"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type FiatCode, FiatRates, fiatCodes } from "@countersign/core/foundation/tokens"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { serveMarket } from "../../../test/market-data/MarketEmulator.ts"
import { layerSqlite } from "../../storage/kysely/index.ts"
import { makeCoinGecko } from "./CoinGecko.ts"
import * as LiveFiatRates from "./LiveFiatRates.ts"

const E18 = 10n ** 18n
const table: ReadonlyMap<FiatCode, bigint> = new Map([
  ["usd", E18],
  ["brl", 5n * E18]
])

const layerOf = (
  rates: MarketSource["rates"],
  known: ReadonlyMap<FiatCode, bigint> = new Map(),
  pastRates: MarketSource["pastRates"] = () => Effect.succeed(null)
) =>
  Layer.fresh(LiveFiatRates.layer(known)).pipe(
    Layer.provide(Layer.fresh(PastPrices.layer)),
    Layer.provide(Layer.mergeAll(Layer.mock(MarketData, { rates, pastRates }), Layer.orDie(layerSqlite(":memory:"))))
  )

const coinGecko = Effect.flatMap(serveMarket, ({ urls }) =>
  makeCoinGecko({ plan: "none", apiKey: null, url: urls.coingecko })
)

fiatRatesContract("no source", layerOf(Effect.succeed(null)))
fiatRatesContract("CoinGecko", Layer.unwrap(Effect.map(coinGecko, ({ rates }) => layerOf(rates))))

const ratesOf = (entries: ReadonlyArray<readonly [FiatCode, bigint]>) =>
  Effect.map(DateTime.now, (at): ExchangeRates => ({ at, source: "a source", perUsdE18: new Map(entries) }))

describe("LiveFiatRates", () => {
  it.effect("has all 62 currencies of the market at the first request", () =>
    Effect.gen(function* () {
      const { rates } = yield* coinGecko
      const usdRates = yield* FiatRates.use(({ perUsdE18 }) => perUsdE18).pipe(Effect.provide(layerOf(rates)))
      assert.sameMembers([...usdRates.keys()], [...fiatCodes])
      assert.strictEqual(usdRates.size, 62)
      assert.approximately(Number(usdRates.get("brl")!) / 1e18, 5.4, 1e-9)
    })
  )

  it.effect("does not wait for the market if a table has the rates, and refreshes once a minute", () =>
    Effect.gen(function* () {
      let requests = 0
      const market = Effect.suspend(() => {
        requests += 1
        return requests === 1 ? Effect.never : ratesOf([["brl", BigInt(requests) * E18]])
      })
      yield* Effect.gen(function* () {
        const { perUsdE18 } = yield* FiatRates
        assert.deepStrictEqual(yield* perUsdE18, table)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(requests, 1)
      }).pipe(Effect.provide(layerOf(market, table)))
    })
  )

  it.effect("waits at most two seconds for the first rates", () =>
    Effect.gen(function* () {
      const firstRead = yield* Effect.forkChild(FiatRates.use(({ perUsdE18 }) => perUsdE18))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(firstRead)).size, 0)
    }).pipe(Effect.provide(layerOf(Effect.never)))
  )

  it.effect("does not wait again for a source that had no rates", () => {
    let requests = 0
    const market = Effect.suspend(() => {
      requests += 1
      return requests === 1 ? Effect.succeed(null) : Effect.never
    })
    return Effect.gen(function* () {
      const { perUsdE18 } = yield* FiatRates
      yield* perUsdE18
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* perUsdE18).size, 0)
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(requests, 2)
    }).pipe(Effect.provide(layerOf(market)))
  })

  it.effect("rejects a rate that is 1,000 times the earlier one", () => {
    let factor = 1n
    const market = Effect.suspend(() =>
      ratesOf([
        ["brl", 5n * E18 * factor],
        ["eur", E18]
      ])
    )
    return Effect.gen(function* () {
      const { perUsdE18 } = yield* FiatRates
      yield* perUsdE18
      factor = 1_000n
      yield* TestClock.adjust("61 seconds")
      yield* perUsdE18
      yield* TestClock.adjust("1 seconds")
      const rates = yield* perUsdE18
      assert.strictEqual(rates.get("brl"), 5n * E18)
      factor = 2n
      yield* TestClock.adjust("61 seconds")
      yield* perUsdE18
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* perUsdE18).get("brl"), 10n * E18)
    }).pipe(Effect.provide(layerOf(market)))
  })

  it.effect("rejects a rate that drifts in small steps or reappears after a gap, and accepts it over days", () => {
    let entries: ReadonlyArray<readonly [FiatCode, bigint]> = [["brl", 5n * E18]]
    const market = Effect.suspend(() => ratesOf(entries))
    return Effect.gen(function* () {
      const { perUsdE18 } = yield* FiatRates
      const rateAfter = Effect.fnUntraced(function* (next: bigint | null, hours = 0) {
        entries = next === null ? [] : [["brl", next]]
        yield* TestClock.adjust(`${hours * 3_600 + 61} seconds`)
        yield* perUsdE18
        yield* TestClock.adjust("1 seconds")
        return (yield* perUsdE18).get("brl")
      })
      yield* perUsdE18
      assert.strictEqual(yield* rateAfter(45n * E18), 45n * E18)
      assert.strictEqual(yield* rateAfter(405n * E18), 45n * E18)
      assert.isUndefined(yield* rateAfter(null))
      assert.strictEqual(yield* rateAfter(5_000n * E18), 5n * E18)
      assert.strictEqual(yield* rateAfter(45n * E18, 24), 45n * E18)
      assert.strictEqual(yield* rateAfter(405n * E18), 405n * E18)
    }).pipe(Effect.provide(layerOf(market)))
  })

  it.effect("returns the rates of a source that has not responded for up to a day, and then none", () => {
    let isSilent = false
    const market = Effect.suspend(() =>
      isSilent
        ? Effect.fail(new UpstreamUnavailable({ upstream: "the market", reason: "it is silent" }))
        : ratesOf([["eur", E18]])
    )
    return Effect.gen(function* () {
      const { perUsdE18 } = yield* FiatRates
      yield* perUsdE18
      isSilent = true
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* perUsdE18).get("eur"), E18)
      yield* TestClock.adjust("2 hours")
      assert.isUndefined((yield* perUsdE18).get("eur"))
    }).pipe(Effect.provide(layerOf(market)))
  })

  it.effect("returns the stored rates of a past day without waiting for the market, and today's for today", () => {
    const requestedDays: Array<string> = []
    const pastRates: MarketSource["pastRates"] = (day) =>
      Effect.sync(() => {
        requestedDays.push(DateTime.formatIsoDateUtc(day))
        return { at: day, source: "a source", perUsdE18: new Map([["brl", 4n * E18]]) }
      })
    const now = DateTime.makeUnsafe("2026-10-05T12:00:00.000Z")
    const daysAgo = (days: number) => DateTime.subtract(now, { days })
    return Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(now))
      const { readDailyRates: onDays } = yield* FiatRates
      const brl = Effect.map(onDays([now, daysAgo(1), daysAgo(1), daysAgo(9)]), (days) =>
        days.map((rates) => rates.get("brl")! / E18)
      )
      assert.deepStrictEqual(yield* brl, [5n, 5n, 5n, 5n])
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* brl, [5n, 4n, 4n, 4n])
      assert.deepStrictEqual(requestedDays, ["2026-10-04", "2026-09-26"])
      // One response starts only a few requests in the background.
      yield* onDays(Array.from({ length: 50 }, (_, i) => daysAgo(100 + i)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(requestedDays.length, 6)
    }).pipe(Effect.provide(layerOf(Effect.never, table, pastRates)))
  })
})
