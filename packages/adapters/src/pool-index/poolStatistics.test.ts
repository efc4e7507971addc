import { anHour, aPool, aProgress } from "@countersign/core/contracts/pools/PoolIndexStore"
import { poolStatisticsContract } from "@countersign/core/contracts/pools/PoolStatistics"
import {
  IndexedPoolStatistics,
  nothingKnown,
  PoolIndexStore,
  PoolStatistics,
  type PricedPoolRef
} from "@countersign/core/pools"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { layerSqlite } from "../kysely/index.ts"
import { baseUnitsRoundingDown } from "./decimalText.ts"
import { SubgraphPoolStatistics } from "./index.ts"
import { type EmulatedSubgraph, serveSubgraph } from "./testing/SubgraphEmulator.ts"

/** Statistics by the index and by a subgraph. */

const DAY = 86_400
const E18 = 10n ** 18n

const priced = (): PricedPoolRef => ({
  pool: aPool(),
  tokens: [
    { decimals: 6, price: E18 },
    { decimals: 18, price: 3_000n * E18 }
  ]
})
const sample = { known: priced(), unknown: priced() }

const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** A pool that is indexed whole, with what was counted now and ten days ago. */
const indexed = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PoolIndexStore
    const now = yield* DateTime.now
    yield* store.follow(sample.known.pool, now, 10)
    const claimed = Option.getOrThrow(yield* store.claim(now, DateTime.add(now, { seconds: 1 })))
    const hour = Math.floor(nowSeconds() / 3_600)
    const progress = aProgress({ isWhole: true, headSeenAt: Date.now() })
    yield* store.store(claimed, {
      progress,
      counted: [
        { ...anHour(hour, 5n), fees0: 10n ** 27n },
        { ...anHour(hour - 240, 7n), fees0: 10n ** 27n }
      ],
      recent: null,
      dueAt: now
    })
  })
)

poolStatisticsContract(
  "our own index",
  IndexedPoolStatistics.layer.pipe(Layer.provide(indexed), Layer.provide(layerSqlite(":memory:"))),
  sample
)

const aDay = (daysAgo: number, now: number) => ({
  date: Math.floor(now / DAY) * DAY - daysAgo * DAY,
  txCount: "12",
  volumeUSD: "1234.56789012345",
  feesUSD: "3.7037036703",
  volumeToken0: "1234.5678901",
  volumeToken1: "0.411522630041150001234"
})

const aSubgraph = (now: number): EmulatedSubgraph => ({
  createdAtTimestamp: "1620250931",
  days: [aDay(0, now), aDay(10, now), aDay(40, now)],
  blockTimestamp: now,
  hasIndexingErrors: false
})

poolStatisticsContract(
  "a subgraph",
  Layer.unwrap(
    Effect.map(serveSubgraph(sample.known.pool.address, aSubgraph(nowSeconds())), ({ url }) =>
      SubgraphPoolStatistics.layer(new Map([[1 as const, Redacted.make(url)]]))
    )
  ),
  sample
)

describe("statistics by a subgraph", () => {
  const logLines: Array<string> = []
  const capture = Logger.layer([Logger.map(Logger.formatJson, (line) => void logLines.push(line))])

  const served = Effect.fnUntraced(function* (now = 0) {
    const state = aSubgraph(now)
    const subgraph = yield* serveSubgraph(sample.known.pool.address, state)
    const statistics = yield* Effect.provide(
      PoolStatistics,
      SubgraphPoolStatistics.layer(new Map([[1 as const, Redacted.make(subgraph.url)]]), 200)
    )
    return { ...subgraph, state, over: Effect.provide(statistics.over(sample.known, 30), capture) }
  })

  it.effect("sum up the days of the range, to the digits that amounts have", () =>
    Effect.gen(function* () {
      const { over, requests } = yield* served()
      assert.deepStrictEqual(yield* over, {
        rangeInDays: 30,
        transactions: 24,
        volumeUsdE6: 2n * 1_234_567_890n,
        feesUsdE6: 2n * 3_703_703n,
        volumes: [2n * 1_234_567_890n, 2n * 411_522_630_041_150_001n],
        fees: null,
        knownFrom: 1_620_250_931,
        isWhole: true
      })
      assert.deepStrictEqual(requests, [{ pool: sample.known.pool.address, from: -29 * DAY }])
    })
  )

  it.effect("are not known where the subgraph has errors, is behind, or answers anything else", () =>
    Effect.gen(function* () {
      for (const [change, fault] of [
        [{ hasIndexingErrors: true }, null],
        [{ blockTimestamp: -4_000 }, null],
        [{}, { status: 500 }],
        [{}, { status: 429, retryAfterSeconds: 9 }],
        [{}, { body: '{"errors":[{"message":"indexing_error"}]}' }],
        [{}, { body: "<html>" }],
        [{}, { delayMs: 2_000 }]
      ] as const) {
        const { inject, over, state } = yield* served()
        Object.assign(state, change)
        if (fault !== null) inject(fault)
        assert.deepStrictEqual(yield* over, nothingKnown(30), JSON.stringify([change, fault]))
      }
      assert.isAtLeast(logLines.length, 4)
      assert.notInclude(logLines.join(), "secret-key")
    })
  )

  it.effect("are asked for once a minute, and kept where the subgraph fails; it is left alone when it says so", () =>
    Effect.gen(function* () {
      const { inject, over, requests } = yield* served()
      const first = yield* over
      assert.deepStrictEqual(yield* over, first)
      assert.strictEqual(requests.length, 1)
      yield* TestClock.adjust("2 minutes")
      inject({ status: 429, retryAfterSeconds: 100 })
      assert.deepStrictEqual(yield* over, first)
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(yield* over, first)
      assert.strictEqual(requests.length, 2)
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* over, first)
      assert.strictEqual(requests.length, 3)
      yield* TestClock.adjust("20 minutes")
      inject({ status: 500 })
      assert.deepStrictEqual(yield* over, nothingKnown(30))
    })
  )
})

describe("baseUnitsRoundingDown", () => {
  it.each([
    ["0", 6, 0n],
    ["12", 6, 12_000_000n],
    ["1.9999999", 6, 1_999_999n],
    ["0.000000000000000001", 18, 1n],
    ["5.5", 0, 5n],
    ["-1", 6, 0n],
    ["1e5", 6, 0n],
    ["", 6, 0n]
  ] as const)("reads %s with %i decimals", (text, decimals, units) => {
    assert.strictEqual(baseUnitsRoundingDown(text, decimals), units)
  })
})
