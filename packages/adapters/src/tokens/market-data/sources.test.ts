import { MarketData, type MarketSource } from "@countersign/core/accounting/market-data"
import {
  type MarketDataSample,
  marketDataContract
} from "@countersign/core/contracts/accounting/market-data/MarketData"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { TokenPrices, type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Metric, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type MarketEmulator, type MarketFault, serveMarket } from "../../../test/market-data/MarketEmulator.ts"
import { type CoinGeckoPlan, makeCoinGecko } from "./CoinGecko.ts"
import { cachedPrices } from "./cachedPrices.ts"
import { makeComposite } from "./composite.ts"
import { makeDefiLlama } from "./DefiLlama.ts"

const now = DateTime.makeUnsafe("2026-10-05T12:34:56.000Z")
const bitcoin: TokenRef = { chainId: 0, address: NATIVE_TOKEN }
const ether: TokenRef = { chainId: 1, address: NATIVE_TOKEN }
const weth: TokenRef = { chainId: 1, address: Address.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2") }
const link: TokenRef = { chainId: 1, address: Address.make("0x514910771af9ca656af840dff83e8264ecf986ca") }
/** A token without an id in the committed list. */
const cake: TokenRef = { chainId: 56, address: Address.make("0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82") }
const sample: MarketDataSample = { now, knownTokens: [bitcoin, weth, link, cake], hasRates: true }

const chainPrices = (known: ReadonlyArray<readonly [TokenRef, bigint]> = []) =>
  TokenPrices.of({
    findPrices: () =>
      Effect.succeed(
        new Map(
          known.map(([token, usd]) => [
            tokenKey(token),
            { usd, low: usd, high: usd, source: "FEED" as const, inPool: null }
          ])
        )
      )
  })

const serve = Effect.tap(serveMarket, (emulator) =>
  Effect.andThen(
    Effect.sync(() => {
      emulator.nowMs = DateTime.toEpochMillis(now)
    }),
    TestClock.setTime(DateTime.toEpochMillis(now))
  )
)
const coinGeckoOf = ({ urls }: MarketEmulator, plan: CoinGeckoPlan = "none", apiKey: string | null = null) =>
  makeCoinGecko({ plan, apiKey: apiKey === null ? null : Redacted.make(apiKey), url: urls.coingecko })
const defiLlamaOf = ({ urls }: MarketEmulator) => makeDefiLlama({ url: urls.defillama })
const compositeOf = Effect.fnUntraced(function* (emulator: MarketEmulator, prices = chainPrices()) {
  return makeComposite([yield* coinGeckoOf(emulator), yield* defiLlamaOf(emulator)], prices)
})

const layerOf = (make: (emulator: MarketEmulator) => Effect.Effect<MarketSource>) =>
  Layer.effect(MarketData, Effect.flatMap(serve, make))

marketDataContract("CoinGecko", layerOf(coinGeckoOf), sample)
marketDataContract("DefiLlama", layerOf(defiLlamaOf), { ...sample, hasRates: false })
marketDataContract("both", layerOf(compositeOf), sample)
marketDataContract(
  "both, remembered",
  layerOf((emulator) => Effect.map(compositeOf(emulator), cachedPrices)),
  sample
)

const usdOf = (market: MarketSource, token: TokenRef) =>
  Effect.map(market.prices([token]), (prices) => prices.get(tokenKey(token))?.usd ?? null)

const E18 = 10n ** 18n
const reason = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)
const status = (code: number, retryAfter?: string): MarketFault => ({
  _tag: "Status",
  status: code,
  ...(retryAfter === undefined ? {} : { retryAfter })
})

describe("CoinGecko", () => {
  it.effect("requests all ids at once, and sends the key in the plan's header", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      for (const [plan, header] of [
        ["demo", "x-cg-demo-api-key"],
        ["pro", "x-cg-pro-api-key"]
      ] as const) {
        emulator.reset()
        const market = yield* coinGeckoOf(emulator, plan, "a-key")
        assert.strictEqual((yield* market.prices([bitcoin, ether, weth, link])).size, 4)
        assert.strictEqual(emulator.requests.length, 1)
        assert.strictEqual(emulator.requests[0]!.headers[header], "a-key")
        assert.strictEqual(emulator.requests[0]!.query.get("ids"), "bitcoin,ethereum,weth,chainlink")
      }
    })
  )

  it.effect("returns prices with all their digits, and none for malformed ones", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      emulator.inject("coingecko", {
        _tag: "Text",
        text: '{"bitcoin":{"usd":95123.123456789012345678,"last_updated_at":1},"weth":{"usd":1e-7},"chainlink":{"usd":null},"ethereum":{"usd":0},"odd":{}}'
      })
      const prices = yield* market.prices([bitcoin, weth, link, ether])
      assert.deepStrictEqual(
        [...prices].map(([token, { usd }]) => [token, usd]),
        [
          [tokenKey(bitcoin), 95_123_123_456_789_012_345_678n],
          [tokenKey(weth), 10n ** 11n]
        ]
      )
      assert.strictEqual(DateTime.toEpochMillis(prices.get(tokenKey(bitcoin))!.at), 1_000)
    })
  )

  it.effect("reads a year of daily prices by one request, and hourly prices by one request for 88 days", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      const days = Array.from({ length: 50 }, (_, i) =>
        DateTime.subtract(DateTime.startOf(now, "day"), { days: i * 7 })
      )
      assert.notInclude(yield* market.pastPrices(weth, days), null)
      assert.strictEqual(emulator.requests.length, 1)
      emulator.reset()
      const hours = [1, 50, 88 * 24, 89 * 24].map((ago) => DateTime.subtract(now, { hours: ago }))
      const prices = yield* market.pastPrices(weth, hours)
      assert.strictEqual(emulator.requests.length, 2)
      for (const [i, price] of prices.entries()) {
        assert.isBelow(DateTime.toEpochMillis(hours[i]!) - DateTime.toEpochMillis(price!.at), 3_600_000)
      }
    })
  )

  it.effect("has no rates and prices of a time that its plan excludes, and fails for later times", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      const ago = (days: number) => DateTime.subtract(now, { days })
      emulator.inject("coingecko", status(401), status(401), status(401))
      assert.isNull(yield* market.pastRates(ago(400)))
      assert.deepStrictEqual(yield* market.pastPrices(weth, [ago(400)]), [null])
      assert.include(yield* reason(market.pastRates(ago(300))), "HTTP status 401")
    })
  )

  it.effect("has no past rates if the response is incomplete or implausible", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      const day = DateTime.makeUnsafe("2026-05-05T00:00:00.000Z")
      const honestRates = yield* market.pastRates(day)
      assert.isNotNull(honestRates)
      const bodyWith = (prices: Record<string, number>) => JSON.stringify({ market_data: { current_price: prices } })
      emulator.inject("coingecko", { _tag: "Text", text: bodyWith({ usd: 60_000, eur: 55_000 }) })
      assert.isNull(yield* market.pastRates(day))
      const prices = Object.fromEntries(
        [...honestRates!.perUsdE18].map(([code, rate]) => [code, Number(rate / 10n ** 12n) / 1_000])
      )
      emulator.inject("coingecko", { _tag: "Text", text: bodyWith({ ...prices, usd: 1_000 }) })
      assert.isNotNull(yield* market.pastRates(day))
      emulator.inject("coingecko", { _tag: "Text", text: bodyWith({ ...prices, usd: 1 }) })
      assert.isNull(yield* market.pastRates(day))
    })
  )

  it.effect("gets no request during a rate limit, and one request afterwards", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      emulator.inject("coingecko", status(429, "30"))
      assert.include(yield* reason(market.prices([weth])), "it limits the rate")
      assert.include(yield* reason(market.prices([weth])), "next request is sent in 30 s")
      assert.strictEqual(emulator.requests.length, 1)
      yield* TestClock.adjust("30 seconds")
      emulator.inject("coingecko", { _tag: "Hang" })
      const probe = yield* Effect.forkChild(Effect.flip(market.prices([weth])))
      yield* emulator.hanging
      // Only one probe is sent at a time, so this request is not sent.
      assert.include(yield* reason(market.prices([weth])), "CoinGecko is unavailable")
      assert.strictEqual(emulator.requests.length, 2)
      yield* TestClock.adjust("10 seconds")
      assert.include((yield* Fiber.join(probe)).message, "no response within 10000 ms")
      yield* TestClock.adjust("10 minutes")
      assert.isNotNull(yield* usdOf(market, weth))
    })
  )

  it.effect("gets no requests for a while after three failures in a row", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      emulator.inject("coingecko", status(503), { _tag: "Drop" }, { _tag: "Text", text: "<html>" })
      for (const expected of [
        "HTTP status 503",
        "the connection failed",
        "its response is not JSON",
        "next request is sent in 10 s"
      ]) {
        assert.include(yield* reason(market.prices([weth])), expected)
      }
      assert.strictEqual(emulator.requests.length, 3)
      yield* TestClock.adjust("10 seconds")
      assert.isNotNull(yield* usdOf(market, weth))
    })
  )

  it.effect("gets no requests for a while after three timeouts", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      for (const [patience, isLeftAlone] of [
        ["1 second", false],
        ["2 seconds", true]
      ] as const) {
        for (const _ of [1, 2, 3]) {
          emulator.inject("coingecko", { _tag: "Hang" })
          const requestFiber = yield* Effect.forkChild(Effect.timeoutOption(market.prices([weth]), patience))
          yield* emulator.hanging
          yield* TestClock.adjust(patience)
          yield* Fiber.join(requestFiber)
          emulator.reset()
        }
        const price = yield* Effect.option(usdOf(market, weth))
        assert.strictEqual(Option.isNone(price), isLeftAlone)
      }
    })
  )

  it.effect("exposes neither its key nor its URL in failures", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator, "pro", "a-secret-key")
      emulator.inject("coingecko", status(401), { _tag: "Drop" }, status(429))
      for (const _ of [1, 2, 3, 4]) {
        const error = yield* Effect.flip(market.prices([weth]))
        const text = `${error.message} ${JSON.stringify(error)} ${String(error.stack)}`
        assert.notInclude(text, "a-secret-key")
        assert.notInclude(text, "127.0.0.1")
      }
    })
  )

  it.effect("continues after one request is rejected, or has a response in an unexpected format", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* coinGeckoOf(emulator)
      emulator.inject("coingecko", status(401), status(400), status(401), { _tag: "Text", text: '{"weth":7}' })
      for (const expected of ["status 401", "status 400", "status 401", "an unexpected format"]) {
        assert.include(yield* reason(market.prices([weth])), expected)
      }
      assert.isNotNull(yield* usdOf(market, weth))
    })
  )
})

describe("DefiLlama", () => {
  it.effect("skips prices that DefiLlama marks as unreliable", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* defiLlamaOf(emulator)
      const coin = (token: TokenRef, confidence: number) =>
        `"ethereum:${token.address}":{"price":2,"timestamp":1700000000,"confidence":${confidence}}`
      emulator.inject("defillama", { _tag: "Text", text: `{"coins":{${coin(weth, 0.4)},${coin(link, 0.9)}}}` })
      assert.deepStrictEqual([...(yield* market.prices([weth, link])).keys()], [tokenKey(link)])
    })
  )

  it.effect("reads the prices of 60 times by one request", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* defiLlamaOf(emulator)
      const times = Array.from({ length: 60 }, (_, i) => DateTime.subtract(now, { days: i }))
      assert.notInclude(yield* market.pastPrices(weth, times), null)
      assert.strictEqual(emulator.requests.length, 1)
    })
  )
})

describe("a price with an invalid time", () => {
  const text = (response: string): MarketFault => ({ _tag: "Text", text: response })

  it.effect.each(["1e300", "-1e300", "9e15"])("is rejected: %s", (seconds) =>
    Effect.gen(function* () {
      const emulator = yield* serve
      emulator.inject("coingecko", text(`{"bitcoin":{"usd":95000,"last_updated_at":-${seconds.replace("-", "")}}}`))
      assert.isNull(yield* usdOf(yield* coinGeckoOf(emulator), bitcoin))
      emulator.inject("coingecko", text(`{"prices":[[${seconds},95000],[-${seconds.replace("-", "")},95000]]}`))
      assert.deepStrictEqual(yield* (yield* coinGeckoOf(emulator)).pastPrices(bitcoin, [now]), [null])
      const figure = `{"price":95000,"timestamp":${seconds}}`
      emulator.inject("defillama", text(`{"coins":{"coingecko:bitcoin":${figure}}}`))
      assert.isNull(yield* usdOf(yield* defiLlamaOf(emulator), bitcoin))
      emulator.inject("defillama", text(`{"coins":{"coingecko:bitcoin":{"prices":[${figure}]}}}`))
      assert.deepStrictEqual(yield* (yield* defiLlamaOf(emulator)).pastPrices(bitcoin, [now]), [null])
    })
  )
})

describe("two price sources", () => {
  it.effect("replace each other", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* compositeOf(emulator)
      emulator.inject("coingecko", status(500))
      assert.strictEqual((yield* market.prices([weth])).get(tokenKey(weth))!.source, "defillama")
      emulator.inject("defillama", status(500))
      assert.strictEqual((yield* market.prices([weth])).get(tokenKey(weth))!.source, "coingecko")
      emulator.inject("coingecko", status(500), status(500))
      emulator.inject("defillama", status(500), status(500))
      assert.include(yield* reason(market.prices([weth])), "unavailable")
      assert.include(yield* reason(market.pastPrices(weth, [now])), "unavailable")
    })
  )

  it.effect("are both rejected if they differ by a factor of 1,000", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* compositeOf(emulator)
      const oldDate = DateTime.subtract(now, { days: 100 })
      for (const factor of [1_000, 0.001]) {
        emulator.lie("coingecko", "weth", factor)
        assert.isNull(yield* usdOf(market, weth))
        assert.deepStrictEqual(yield* market.pastPrices(weth, [now, oldDate]), [null, null])
      }
      emulator.lie("coingecko", "weth", 2)
      assert.isNotNull(yield* usdOf(market, weth))
    })
  )

  it.effect("are compared with the onchain price, so that a wrong one is replaced", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* compositeOf(emulator, chainPrices([[weth, 3_000n * E18]]))
      assert.strictEqual((yield* market.prices([weth])).get(tokenKey(weth))!.source, "coingecko")
      // The on-chain price is sufficient confirmation.
      assert.strictEqual(emulator.requests.length, 1)
      emulator.lie("coingecko", "weth", 1_000)
      assert.strictEqual((yield* market.prices([weth])).get(tokenKey(weth))!.source, "defillama")
      const [recent] = yield* market.pastPrices(weth, [DateTime.subtract(now, { days: 29 })])
      assert.strictEqual(recent!.source, "defillama")
      emulator.lie("defillama", "weth", 0.001)
      assert.isNull(yield* usdOf(market, weth))
      // Two sources that agree override an on-chain price, because the price may have changed since then.
      emulator.lie("defillama", "weth", 1_000)
      assert.isNotNull(yield* usdOf(market, weth))
    })
  )

  it.effect("have metrics: requests by outcome, whether a source is used, and rejected prices", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = yield* compositeOf(emulator)
      emulator.inject("coingecko", status(429, "60"))
      emulator.lie("defillama", "weth", 1_000)
      yield* market.prices([weth])
      yield* market.prices([weth])
      yield* TestClock.adjust("1 minute")
      yield* market.prices([weth])
      const samples = (yield* Metric.snapshot).flatMap(({ attributes, id, state }) => {
        const value = "count" in state ? state.count : "value" in state ? state.value : null
        const { host, outcome, source = host } = (attributes ?? {}) as Readonly<Record<string, string>>
        return id.startsWith("market_data") || id.startsWith("http_host")
          ? [[id, source, outcome, Number(value)].filter(Boolean).join(" ")]
          : []
      })
      assert.sameMembers(samples, [
        "http_host_requests_total coingecko limited 1",
        "http_host_requests_total coingecko rejected 1",
        "http_host_requests_total coingecko answered 1",
        "http_host_requests_total defillama answered 3",
        "http_host_up coingecko 1",
        "http_host_up defillama 1",
        "market_data_prices_refused_total coingecko 1",
        "market_data_prices_refused_total defillama 1"
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("are cached for a minute, and for an hour if none responds", () =>
    Effect.gen(function* () {
      const emulator = yield* serve
      const market = cachedPrices(yield* compositeOf(emulator))
      const firstPrices = yield* market.prices([weth])
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* market.prices([weth]), firstPrices)
      assert.strictEqual(emulator.requests.length, 2)
      yield* TestClock.adjust("59 minutes")
      emulator.inject("coingecko", status(500), status(500))
      emulator.inject("defillama", status(500), status(500))
      // The time of the price shows its age.
      assert.deepStrictEqual(yield* market.prices([weth]), firstPrices)
      yield* TestClock.adjust("2 minutes")
      assert.include(yield* reason(market.prices([weth])), "unavailable")
    })
  )
})
