import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { BitcoinChain, bitcoinToken, NoBitcoinSource } from "../../bitcoin/chain/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { aBitcoinAddress, anAddress, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import {
  type ByToken,
  reportedPrice,
  type Token,
  TokenCatalog,
  TokenPrices,
  tokenKey
} from "../../foundation/tokens/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { Lending } from "../../trading/lending/index.ts"
import { LiquidityPositions } from "../../trading/pools/index.ts"
import { NftReader } from "../../wallets/nfts/index.ts"
import { HistoryStore, type RecordedMovement } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import { MarketData, type PastPrice, PastPrices } from "../market-data/index.ts"
import { PortfolioCharts } from "./PortfolioCharts.ts"
import { Portfolios } from "./Portfolios.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = Date.UTC(2026, 9, 5, 12, 34, 56)
const E18 = 10n ** 18n
const usdE6 = (dollars: number) => BigInt(Math.round(dollars * 1e6))

const project = aProjectId()
const wallet = anAddress()
const aToken = (symbol: string): Token => ({
  chainId: 1,
  address: anAddress(),
  name: symbol,
  symbol,
  decimals: 0,
  realWorldAsset: false
})
const gold = aToken("GOLD")
const silver = aToken("SILVER")

interface Fixture {
  readonly bitcoin?: BitcoinChain["Service"]["balanceOf"]
  readonly balances?: ReadonlyArray<readonly [Token, bigint]>
  readonly onChain?: ReadonlyArray<readonly [Token, bigint]>
  readonly market?: MarketData["Service"]["prices"]
  /** US dollars per token at a time. Null if the market has no price. */
  readonly pastDollarsOf?: (token: Token, atMs: number) => number | null
  readonly pastPrices?: PastPrices["Service"]["prices"]
  readonly movements?: ReadonlyArray<RecordedMovement>
}

const recordedMovementOf = (
  direction: "IN" | "OUT",
  token: Token,
  amount: bigint,
  usd: string | null,
  agoMs: number
): RecordedMovement => ({
  transactionId: aUuid(),
  position: 0,
  type: "SWAP",
  at: DateTime.makeUnsafe(NOW_MS - agoMs),
  blockNumber: null,
  createdAt: DateTime.makeUnsafe(NOW_MS - agoMs),
  movement: aMovement({
    direction,
    account: wallet,
    asset: { chainId: 1, token: token.address },
    amount,
    usd
  })
})

const byToken = <A, B>(entries: ReadonlyArray<readonly [Token, A]>, value: (a: A) => B): ByToken<B> =>
  new Map(entries.map(([token, a]) => [tokenKey(token), value(a)]))

const layerOf = (fixture: Fixture) => {
  const requestCounts: Array<number> = []
  const {
    balances = [],
    market = () => Effect.succeed(new Map()),
    movements = [],
    onChain = [],
    pastDollarsOf: past
  } = fixture
  const tokens = [gold, silver]
  const prices: PastPrices["Service"]["prices"] = (requests) =>
    Effect.sync(() => {
      requestCounts.push(requests.length)
      return requests.map(({ at, token }): PastPrice | null => {
        const listedToken = tokens.find((each) => tokenKey(each) === tokenKey(token))!
        const dollars = past?.(listedToken, DateTime.toEpochMillis(at)) ?? null
        return dollars === null ? null : { usd: BigInt(dollars) * E18, at, source: "a source" }
      })
    })
  const ports = Layer.mergeAll(
    Layer.mock(ChainReader, {
      readAccountState: () =>
        Effect.succeed({
          blockNumber: 1n,
          blockTimestamp: NOW_MS / 1_000,
          baseFeePerGas: 0n,
          maxFeePerGas: 0n,
          maxPriorityFeePerGas: 0n,
          hasCode: true,
          delegate: null,
          transactionCount: 0n,
          balances: byToken(balances, (units) => units),
          allowances: [],
          usedNonces: new Set<bigint>()
        })
    }),
    Layer.mock(HistoryStore, { listMovements: ({ after }) => Effect.succeed(after === null ? movements : []) }),
    Layer.mock(TokenCatalog, {
      search: () => Effect.succeed({ tokens, total: tokens.length }),
      find: (_, address) => Effect.succeed(Option.fromUndefinedOr(tokens.find((token) => token.address === address)))
    }),
    Layer.mock(TokenPrices, { findPrices: () => Effect.succeed(byToken(onChain, (usd) => reportedPrice(usd * E18))) }),
    Layer.mock(MarketData, { prices: market }),
    Layer.mock(PastPrices, { prices: fixture.pastPrices ?? prices }),
    Layer.mock(Lending, {}),
    Layer.mock(LiquidityPositions, {}),
    Layer.mock(NftReader, {}),
    Layer.mock(BitcoinChain, { balanceOf: fixture.bitcoin ?? (() => Effect.never) })
  )
  const settings = { chainIds: () => [1 as const] }
  const layer = Layer.fresh(Layer.merge(Portfolios.layer(settings), PortfolioCharts.layer(settings))).pipe(
    Layer.provide(ports)
  )
  return { requestedTimes: requestCounts, layer }
}

const startClock = TestClock.setTime(NOW_MS)

const readProfits = (fixture: Fixture, timeRange: "1d" | "7d" | "all") =>
  Effect.gen(function* () {
    const { profits } = yield* Portfolios.use((portfolios) =>
      portfolios.show(project, {
        walletAddress: wallet,
        include: { tokens: false, nfts: false, profit: true, lending: false },
        timeRange
      })
    )
    return profits!
  }).pipe(Effect.provide(layerOf(fixture).layer))

describe("Profit over a period that starts with a balance", () => {
  it.effect("is the gain relative to the balance's value at the start", () =>
    Effect.gen(function* () {
      yield* startClock
      // 10 tokens were bought for $100 two days ago. One day ago a token was worth $12. Then 4 tokens were sold for
      // $52. Now a token is worth $15.
      const [{ profit } = { profit: null }] = yield* readProfits(
        {
          movements: [
            recordedMovementOf("IN", gold, 10n, "100", 2 * DAY_MS),
            recordedMovementOf("OUT", gold, 4n, "52", HOUR_MS)
          ],
          onChain: [[gold, 15n]],
          pastDollarsOf: (_, atMs) => (atMs === NOW_MS - DAY_MS ? 12 : null)
        },
        "1d"
      )
      // 6 × 15 + 52 − 10 × 12.
      assert.strictEqual(profit!.profitE6, usdE6(22))
      assert.strictEqual(profit!.investedE6, usdE6(120))
    })
  )

  it.effect("needs no past price for a token that was bought later, or for all time", () =>
    Effect.gen(function* () {
      yield* startClock
      const fixture: Fixture = {
        movements: [recordedMovementOf("IN", gold, 10n, "100", HOUR_MS)],
        onChain: [[gold, 15n]],
        pastPrices: (requests) =>
          requests.length === 0 ? Effect.succeed([]) : Effect.die(new Error("a past price was requested"))
      }
      for (const range of ["1d", "all"] as const) {
        assert.strictEqual((yield* readProfits(fixture, range))[0]!.profit.profitE6, usdE6(50))
      }
    })
  )

  it.effect("values a movement that was recorded without a value at the price at its time", () =>
    Effect.gen(function* () {
      yield* startClock
      const fixture: Fixture = {
        movements: [
          recordedMovementOf("IN", gold, 10n, null, HOUR_MS),
          recordedMovementOf("IN", silver, 3n, null, HOUR_MS)
        ],
        onChain: [
          [gold, 15n],
          [silver, 2n]
        ],
        pastDollarsOf: ({ address }, atMs) => (address === gold.address && atMs === NOW_MS - HOUR_MS ? 12 : null)
      }
      const profits = yield* readProfits(fixture, "all")
      assert.deepStrictEqual(
        profits.map(({ profit }) => profit.profitE6),
        [usdE6(30), null]
      )
    })
  )

  it.effect(
    "is unknown if the market does not respond or is too slow, and the response arrives within five seconds",
    () =>
      Effect.gen(function* () {
        yield* startClock
        const marketUnavailable = Effect.fail(
          new UpstreamUnavailable({ upstream: "the market", reason: "it does not respond" })
        )
        const movements = [
          recordedMovementOf("IN", gold, 10n, "100", 2 * DAY_MS),
          recordedMovementOf("IN", silver, 3n, "3", HOUR_MS)
        ]
        const onChainPrices = [
          [gold, 15n],
          [silver, 2n]
        ] as const
        for (const response of [marketUnavailable, Effect.never]) {
          const profitsFiber = yield* Effect.forkChild(
            readProfits({ movements, onChain: onChainPrices, pastPrices: () => response }, "1d")
          )
          yield* TestClock.adjust("4900 millis")
          const profits = yield* Fiber.join(profitsFiber)
          assert.deepStrictEqual(
            profits.map(({ profit }) => profit.profitE6),
            [null, usdE6(3)]
          )
        }
      })
  )
})

describe("A liquidation", () => {
  it.effect("takes nothing from the wallet, because the collateral left the wallet when it was supplied", () =>
    Effect.gen(function* () {
      yield* startClock
      const DAY = 86_400_000
      const liquidation: RecordedMovement = {
        ...recordedMovementOf("OUT", gold, 1n, "850", DAY),
        type: "LENDING_LIQUIDATION"
      }
      const supplies = [
        recordedMovementOf("IN", gold, 4n, "3000", 3 * DAY),
        recordedMovementOf("OUT", gold, 2n, "2000", 2 * DAY)
      ]
      const fixture = { balances: [[gold, 2n] as const], onChain: [[gold, 3_000n] as const] }
      const before = yield* readProfits({ ...fixture, movements: supplies }, "all")
      const after = yield* readProfits({ ...fixture, movements: [...supplies, liquidation] }, "all")
      assert.deepStrictEqual(after, before)
    })
  )
})

describe("The price of a token without an on-chain price", () => {
  const aMarketPrice =
    (agoMs: number): NonNullable<Fixture["market"]> =>
    () =>
      Effect.succeed(
        new Map([[tokenKey(silver), { usd: 2n * E18, at: DateTime.makeUnsafe(NOW_MS - agoMs), source: "coingecko" }]])
      )
  const readPrices = (fixture: Fixture) =>
    Effect.gen(function* () {
      const portfolioFiber = yield* Effect.forkChild(
        Portfolios.use((portfolios) =>
          portfolios.show(project, {
            walletAddress: wallet,
            include: { tokens: true, nfts: false, profit: false, lending: false },
            timeRange: "1d"
          })
        ).pipe(Effect.provide(layerOf(fixture).layer))
      )
      yield* TestClock.adjust("2 seconds")
      return (yield* Fiber.join(portfolioFiber)).holdings!.map(({ price }) => price)
    })
  const balances = [
    [gold, 1n],
    [silver, 1n]
  ] as const
  const onChainPrices = [[gold, 15n]] as const

  it.effect("is the market's price with its source, and is marked as stale if it is old", () =>
    Effect.gen(function* () {
      yield* startClock
      for (const [agoMs, isStale] of [
        [0, false],
        [20 * 60_000, true]
      ] as const) {
        assert.deepStrictEqual(yield* readPrices({ balances, onChain: onChainPrices, market: aMarketPrice(agoMs) }), [
          { usd: 15n * E18, source: "FEED", isStale: false },
          { usd: 2n * E18, source: "coingecko", isStale }
        ])
        yield* startClock
      }
    })
  )

  it.effect("is unknown if the market does not respond or is too slow, and the balance is still returned", () =>
    Effect.gen(function* () {
      yield* startClock
      const failingMarket = () =>
        Effect.fail(new UpstreamUnavailable({ upstream: "the market", reason: "it does not respond" }))
      for (const market of [failingMarket, () => Effect.never]) {
        const prices = yield* readPrices({ balances, onChain: onChainPrices, market })
        assert.deepStrictEqual(
          prices.map((price) => price?.usd ?? null),
          [15n * E18, null]
        )
      }
    })
  )
})

describe("The portfolio of a Bitcoin address", () => {
  const allSections = { tokens: true, nfts: true, profit: true, lending: true }
  const portfolioOf = (fixture: Fixture) =>
    Effect.provide(
      Portfolios.use((portfolios) =>
        portfolios.show(project, { walletAddress: aBitcoinAddress(), include: allSections, timeRange: "1d" })
      ),
      layerOf(fixture).layer
    )
  const btcPrice = { usd: 65_000n * E18, at: DateTime.makeUnsafe(NOW_MS), source: "coingecko" }
  const market = () => Effect.succeed(new Map([[tokenKey(bitcoinToken), btcPrice]]))

  it.effect("contains the confirmed balance at the market's price, and the unconfirmed change", () =>
    Effect.gen(function* () {
      yield* startClock
      const bitcoin = () => Effect.succeed({ confirmed: 150_000n, unconfirmed: -20_000n })
      const { asOf, ...sections } = yield* portfolioOf({ bitcoin, market })
      const price = { usd: btcPrice.usd, source: "coingecko", isStale: false }
      assert.deepStrictEqual(sections, {
        holdings: [{ token: bitcoinToken, units: 150_000n, unconfirmed: -20_000n, price, asOf }],
        profits: [],
        nfts: [],
        liquidity: [],
        lending: [],
        unread: []
      })
    })
  )

  it.effect("may contain only an unconfirmed balance, or no balance", () =>
    Effect.gen(function* () {
      const pendingPortfolio = yield* portfolioOf({ bitcoin: () => Effect.succeed({ confirmed: 0n, unconfirmed: 1n }) })
      assert.deepStrictEqual(
        pendingPortfolio.holdings!.map(({ price, unconfirmed, units }) => [units, unconfirmed, price]),
        [[0n, 1n, null]]
      )
      const emptyPortfolio = yield* portfolioOf({ bitcoin: () => Effect.succeed({ confirmed: 0n, unconfirmed: 0n }) })
      assert.deepStrictEqual(emptyPortfolio.holdings, [])
    })
  )

  it.effect("contains the reason why Bitcoin was not read: no source, no response, or a slow response", () =>
    Effect.gen(function* () {
      const unavailable = new UpstreamUnavailable({ upstream: "Esplora", reason: "it does not respond" })
      const reasonIn = (bitcoin: BitcoinChain["Service"]["balanceOf"]) =>
        Effect.map(portfolioOf({ bitcoin }), ({ holdings, unread }) => {
          assert.deepStrictEqual(holdings, [])
          assert.deepStrictEqual(
            unread.map(({ chainId }) => chainId),
            [0]
          )
          return unread[0]!.reason
        })
      assert.match(yield* reasonIn(() => Effect.fail(new NoBitcoinSource())), /No Bitcoin data source/u)
      assert.match(yield* reasonIn(() => Effect.fail(unavailable)), /it does not respond/u)
      const slowReason = yield* Effect.forkChild(reasonIn(() => Effect.never))
      yield* TestClock.adjust("10 seconds")
      assert.match(yield* Fiber.join(slowReason), /did not respond in time/u)
    })
  )
})

describe("The chart of a portfolio", () => {
  const readChart = (fixture: Fixture, timeRange: "1d" | "7d" | "1m" | "1a" | "all") => {
    const { requestedTimes, layer } = layerOf(fixture)
    return Effect.map(
      Effect.provide(
        PortfolioCharts.use((charts) => charts.show(project, wallet, timeRange)),
        layer
      ),
      (chart) => ({ ...chart, requestedTimes })
    )
  }

  it.effect("shows the value of the balances at each time, at the price at that time", () =>
    Effect.gen(function* () {
      yield* startClock
      // The balance is 3 now. 5 tokens arrived two and a half hours ago, and 4 were sent one and a half hours ago. The
      // chart therefore shows 2, 7 and 3.
      const { requestedTimes, omitted, points } = yield* readChart(
        {
          balances: [[gold, 3n]],
          onChain: [[gold, 100n]],
          movements: [
            recordedMovementOf("IN", gold, 5n, "5", 2.5 * HOUR_MS),
            recordedMovementOf("OUT", gold, 4n, "4", 1.5 * HOUR_MS)
          ],
          pastDollarsOf: (_, atMs) => 10 + Math.round((atMs - NOW_MS) / HOUR_MS)
        },
        "1d"
      )
      assert.deepStrictEqual(omitted, [])
      assert.strictEqual(points.length, 25)
      assert.deepStrictEqual(requestedTimes, [24])
      const lastPoints = points
        .slice(-4)
        .map(({ atMs, valueE6 }) => [new Date(atMs).toISOString().slice(11, 16), valueE6])
      assert.deepStrictEqual(lastPoints, [
        ["10:00", usdE6(2 * 7)],
        ["11:00", usdE6(7 * 8)],
        ["12:00", usdE6(3 * 9)],
        ["12:34", usdE6(3 * 100)]
      ])
    })
  )

  it.effect("excludes a token without a price at one of the times, and lists the token", () =>
    Effect.gen(function* () {
      yield* startClock
      const { omitted, points } = yield* readChart(
        {
          balances: [
            [gold, 1n],
            [silver, 1n]
          ],
          onChain: [
            [gold, 5n],
            [silver, 7n]
          ],
          pastDollarsOf: (token, atMs) => (token === silver && atMs < NOW_MS - 20 * HOUR_MS ? null : 5)
        },
        "1d"
      )
      assert.deepStrictEqual(omitted, [silver])
      assert.isTrue(points.every(({ valueE6 }) => valueE6 === usdE6(5)))
    })
  )

  it.effect(
    "has no values if the market does not respond, and zeros if the wallet has no balance and no movements",
    () =>
      Effect.gen(function* () {
        yield* startClock
        const failingMarket = () =>
          Effect.fail(new UpstreamUnavailable({ upstream: "the market", reason: "it does not respond" }))
        const { points } = yield* readChart(
          { balances: [[gold, 1n]], onChain: [[gold, 5n]], pastPrices: failingMarket },
          "7d"
        )
        assert.isTrue(points.every(({ valueE6 }) => valueE6 === null))
        assert.isTrue((yield* readChart({}, "all")).points.every(({ valueE6 }) => valueE6 === 0n))
      })
  )

  it.effect("has about 25 to 60 points for any period, and starts with the first movement for all time", () =>
    Effect.gen(function* () {
      yield* startClock
      for (const range of ["1d", "7d", "1m", "1a"] as const) {
        const { points } = yield* readChart(
          { balances: [[gold, 1n]], onChain: [[gold, 1n]], pastDollarsOf: () => 1 },
          range
        )
        assert.isAtLeast(points.length, 25, range)
        assert.isAtMost(points.length, 61, range)
        assert.strictEqual(points.at(-1)!.atMs, NOW_MS)
      }
      const oldMovements = [recordedMovementOf("IN", gold, 1n, "1", 3_000 * DAY_MS)]
      const { points } = yield* readChart(
        { balances: [[gold, 1n]], onChain: [[gold, 1n]], movements: oldMovements, pastDollarsOf: () => 1 },
        "all"
      )
      assert.isAtLeast(points[0]!.atMs, NOW_MS - 3_000 * DAY_MS)
      assert.isBelow(points[0]!.atMs, NOW_MS - 2_800 * DAY_MS)
      assert.isAtMost(points.length, 61)
      // Steps are full UTC days, for which a source has prices regardless of their age.
      assert.isTrue(points.slice(0, -1).every(({ atMs }) => atMs % DAY_MS === 0))
    })
  )
})
