import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { type TokenRef, tokenKey } from "../../foundation/tokens/index.ts"
import { MarketData, type MarketSource } from "./MarketData.ts"
import { type PastPriceKey, PastPriceStore } from "./PastPriceStore.ts"
import { PastPrices } from "./PastPrices.ts"
import type { PastPrice } from "./PastValue.ts"

const HOUR_MS = 3_600_000
const atHour = (hours: number, minutes = 0) => DateTime.makeUnsafe(hours * HOUR_MS + minutes * 60_000)
const token: TokenRef = { chainId: 1, address: anAddress() }
const otherToken: TokenRef = { chainId: 1, address: anAddress() }
const marketUnavailable = Effect.fail(
  new UpstreamUnavailable({ upstream: "the market", reason: "it does not respond" })
)

/** Creates an in-memory store for one test. */
const aStore = () => {
  const prices = new Map<string, PastPrice>()
  const rates = new Map<number, Parameters<PastPriceStore["Service"]["storeRates"]>[1]>()
  const textOf = ({ hour, token: { address } }: PastPriceKey) => `${address}@${hour}`
  return PastPriceStore.of({
    findPrices: (keys) => Effect.sync(() => keys.map((key) => prices.get(textOf(key)) ?? null)),
    storePrices: (newPrices) =>
      Effect.sync(() => {
        for (const { price, ...key } of newPrices) if (!prices.has(textOf(key))) prices.set(textOf(key), price)
      }),
    findRates: (days) => Effect.sync(() => days.map((day) => rates.get(DateTime.toEpochMillis(day)) ?? null)),
    storeRates: (day, newRates) =>
      Effect.sync(() => {
        const key = DateTime.toEpochMillis(day)
        if (!rates.has(key)) rates.set(key, newRates)
      })
  })
}

interface MarketRequest {
  readonly token: TokenRef
  readonly hours: ReadonlyArray<number>
}

/** Creates a market that returns a different value for each request, like a source that later corrects its values. */
const aMarket = (overrides: Partial<MarketSource> = {}) => {
  const marketRequests: Array<MarketRequest> = []
  let lastValue = 0n
  const market: MarketSource = {
    prices: () => Effect.succeed(new Map()),
    pastPrices: (pricedToken, times) =>
      Effect.sync(() => {
        marketRequests.push({ token: pricedToken, hours: times.map((time) => DateTime.toEpochMillis(time) / HOUR_MS) })
        return times.map((time) => ({ usd: ++lastValue, at: time, source: "the market" }))
      }),
    rates: Effect.succeed(null),
    pastRates: (day) =>
      Effect.sync(() => ({ at: day, source: "the market", perUsdE18: new Map([["brl", ++lastValue]] as const) })),
    ...overrides
  }
  return { marketRequests, market }
}

const pastPricesOf = (market: MarketSource, store: PastPriceStore["Service"]) =>
  Effect.map(
    Layer.build(
      Layer.fresh(PastPrices.layer).pipe(
        Layer.provide(Layer.merge(Layer.succeed(MarketData, market), Layer.succeed(PastPriceStore, store)))
      )
    ),
    (context) => PastPrices.useSync((service) => service).pipe(Effect.provide(context))
  ).pipe(Effect.flatten)

const startClock = TestClock.setTime(DateTime.toEpochMillis(atHour(1_000)))

describe("PastPrices", () => {
  it.effect("requests each token once, only for hours that are not stored, and always returns the same prices", () =>
    Effect.gen(function* () {
      yield* startClock
      const { marketRequests, market } = aMarket()
      const store = aStore()
      const pastPrices = yield* pastPricesOf(market, store)
      const requests = [
        { token, at: atHour(10, 59) },
        { token: otherToken, at: atHour(10) },
        { token, at: atHour(10, 1) },
        { token, at: atHour(12) }
      ]
      const firstPrices = yield* pastPrices.prices(requests)
      assert.deepStrictEqual(
        marketRequests.map(({ hours, token: of }) => [tokenKey(of), hours]),
        [
          [tokenKey(token), [10, 12]],
          [tokenKey(otherToken), [10]]
        ]
      )
      assert.deepStrictEqual(firstPrices[0], firstPrices[2])
      assert.deepStrictEqual(yield* pastPrices.prices(requests), firstPrices)
      const repeatedPrices = yield* pastPricesOf(aMarket().market, store)
      assert.deepStrictEqual(yield* repeatedPrices.prices(requests), firstPrices)
      yield* pastPrices.prices([{ token, at: atHour(13) }])
      assert.deepStrictEqual(marketRequests.at(-1)!.hours, [13])
    })
  )

  it.effect("returns the same price to two processes with concurrent requests", () =>
    Effect.gen(function* () {
      yield* startClock
      const store = aStore()
      const mayRespond = yield* Deferred.make<void>()
      const waitingPrice = (priceUsd: bigint) =>
        aMarket({
          pastPrices: (_, ats) =>
            Effect.as(
              Deferred.await(mayRespond),
              ats.map((time) => ({ usd: priceUsd, at: time, source: "the market" }))
            )
        }).market
      const processes = yield* Effect.forEach([1n, 2n, 3n], (figure) => pastPricesOf(waitingPrice(figure), store))
      const fibers = yield* Effect.forEach(processes, (service) =>
        Effect.forkChild(service.prices([{ token, at: atHour(5) }]))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(mayRespond, undefined)
      const responses = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(responses[1], responses[0])
      assert.deepStrictEqual(responses[2], responses[0])
    })
  )

  it.effect("fails if the market fails, stores the received prices, and later requests only the missing ones", () =>
    Effect.gen(function* () {
      yield* startClock
      const store = aStore()
      const { marketRequests, market } = aMarket()
      const partialPrices = yield* pastPricesOf(
        { ...market, pastPrices: (of, ats) => (of === otherToken ? marketUnavailable : market.pastPrices(of, ats)) },
        store
      )
      const requests = [
        { token, at: atHour(10) },
        { token: otherToken, at: atHour(10) }
      ]
      assert.strictEqual((yield* Effect.flip(partialPrices.prices(requests)))._tag, "UPSTREAM_UNAVAILABLE")
      const completePrices = yield* pastPricesOf(market, store)
      assert.notInclude(yield* completePrices.prices(requests), null)
      assert.deepStrictEqual(
        marketRequests.map(({ token: of }) => of),
        [token, otherToken]
      )
    })
  )

  it.effect("never stores an unknown price, and requests it again after ten minutes", () =>
    Effect.gen(function* () {
      yield* startClock
      let isKnown = false
      const { market } = aMarket()
      const pastPrices = yield* pastPricesOf(
        {
          ...market,
          pastPrices: (of, ats) => (isKnown ? market.pastPrices(of, ats) : Effect.succeed(ats.map(() => null)))
        },
        aStore()
      )
      const request = [{ token, at: atHour(10) }]
      assert.deepStrictEqual(yield* pastPrices.prices(request), [null])
      isKnown = true
      assert.deepStrictEqual(yield* pastPrices.prices(request), [null])
      yield* TestClock.adjust("10 minutes")
      assert.notInclude(yield* pastPrices.prices(request), null)
    })
  )

  it.effect("requests the rates of a day without rates again after ten minutes", () =>
    Effect.gen(function* () {
      yield* startClock
      let isKnown = false
      let requests = 0
      const { market } = aMarket()
      const pastPrices = yield* pastPricesOf(
        {
          ...market,
          pastRates: (day) => {
            requests += 1
            return isKnown ? market.pastRates(day) : Effect.succeed(null)
          }
        },
        aStore()
      )
      const rate = pastPrices.rate("brl", atHour(24))
      assert.isNull(yield* rate)
      isKnown = true
      assert.isNull(yield* rate)
      assert.strictEqual(requests, 1)
      yield* TestClock.adjust("10 minutes")
      assert.isNotNull(yield* rate)
    })
  )

  it.effect("does not request future prices", () =>
    Effect.gen(function* () {
      yield* startClock
      const { marketRequests, market } = aMarket()
      const pastPrices = yield* pastPricesOf(market, aStore())
      assert.deepStrictEqual(yield* pastPrices.prices([{ token, at: atHour(1_001) }]), [null])
      assert.isNull(yield* pastPrices.rate("brl", atHour(1_000 + 48)))
      assert.deepStrictEqual(marketRequests, [])
    })
  )

  it.effect("stores the rates of a day, and requests none for the US dollar", () =>
    Effect.gen(function* () {
      yield* startClock
      const store = aStore()
      const pastPrices = yield* pastPricesOf(aMarket().market, store)
      const brl = yield* pastPrices.rate("brl", atHour(24, 1))
      assert.deepStrictEqual(yield* pastPrices.rate("brl", atHour(47, 59)), brl)
      assert.deepStrictEqual(brl!.at, atHour(24))
      assert.isNull(yield* pastPrices.rate("eur", atHour(30)))
      assert.notDeepEqual(yield* pastPrices.rate("brl", atHour(48)), brl)
      const unavailablePrices = yield* pastPricesOf(aMarket({ pastRates: () => marketUnavailable }).market, aStore())
      assert.strictEqual((yield* unavailablePrices.rate("usd", atHour(5)))!.perUsdE18, 10n ** 18n)
      assert.strictEqual((yield* Effect.flip(unavailablePrices.rate("brl", atHour(5))))._tag, "UPSTREAM_UNAVAILABLE")
    })
  )
})
