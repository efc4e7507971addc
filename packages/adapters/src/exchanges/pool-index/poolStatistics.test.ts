import { anHour, aPool, aProgress } from "@countersign/core/contracts/trading/pools/PoolIndexStore"
import { poolStatisticsContract } from "@countersign/core/contracts/trading/pools/PoolStatistics"
import { PoolIndexStore, PoolStatistics, type PricedPoolRef } from "@countersign/core/trading/pools"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layerSqlite } from "../../storage/kysely/index.ts"

const E18 = 10n ** 18n

const pricedPoolRef = (): PricedPoolRef => ({
  pool: aPool(),
  tokens: [
    { decimals: 6, price: E18 },
    { decimals: 18, price: 3_000n * E18 }
  ]
})
const sample = { known: pricedPoolRef(), unknown: pricedPoolRef() }

const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** A completely indexed pool with events now and ten days ago. */
const indexedPools = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PoolIndexStore
    const now = yield* DateTime.now
    yield* store.recordRequest(sample.known.pool, now, 10)
    const claimResult = Option.getOrThrow(yield* store.claim(now, DateTime.add(now, { hours: 1 })))
    const hour = Math.floor(nowSeconds() / 3_600)
    const progress = aProgress({ isWhole: true, headSeenAt: Date.now() })
    yield* store.store(claimResult, {
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
  PoolStatistics.layer.pipe(Layer.provide(indexedPools), Layer.provide(layerSqlite(":memory:"))),
  sample
)

it.effect("indexes a pool immediately when it is requested again after a while, but not with every request", () =>
  Effect.gen(function* () {
    const [store, statistics] = [yield* PoolIndexStore, yield* PoolStatistics]
    const { pool } = pricedPoolRef()
    const claim = Effect.flatMap(DateTime.now, (now) => store.claim(now, DateTime.add(now, { minutes: 2 })))
    yield* statistics.startIndexing(pool)
    const claimResult = Option.getOrThrow(yield* claim)
    const dueAt = DateTime.add(yield* DateTime.now, { minutes: 5 })
    yield* store.store(claimResult, { progress: aProgress(), counted: [], recent: null, dueAt })
    yield* statistics.startIndexing(pool)
    assert.isTrue(Option.isNone(yield* claim))
    yield* TestClock.adjust("1 minute")
    yield* statistics.startIndexing(pool)
    assert.deepStrictEqual(Option.getOrThrow(yield* claim).pool, pool)
  }).pipe(Effect.provide(PoolStatistics.layer.pipe(Layer.provideMerge(layerSqlite(":memory:")))))
)
