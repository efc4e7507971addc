import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import { addHours, type PoolHour } from "./PoolActivity.ts"
import { type IndexedPool, type IndexStep, PoolIndexStore } from "./PoolIndexStore.ts"
import { anHour, aPool } from "./PoolRef.fixture.ts"

export { anHour, aPool } from "./PoolRef.fixture.ts"

const MANY = 1_000

export const aProgress = (changes: Partial<IndexProgress> = {}): IndexProgress => ({
  first: { number: 10, hash: aHash(), at: 1_000 },
  last: { number: 20, hash: aHash(), at: 2_000 },
  isWhole: false,
  headSeenAt: null,
  span: 2_000,
  ...changes
})

const stepOf = (changes: Partial<IndexStep>): IndexStep => ({
  progress: aProgress(),
  counted: [],
  recent: null,
  dueAt: at(1_000_000),
  ...changes
})

/** Adds up the final and the recent counts of each hour. */
const sumByHour = (hours: ReadonlyArray<PoolHour>): ReadonlyArray<PoolHour> =>
  [...Map.groupBy(hours, ({ hour }) => hour).values()].map((counts) => counts.reduce(addHours))

/** Contract tests that every `PoolIndexStore` must pass. */
export const poolIndexStoreContract = <E>(name: string, stores: Layer.Layer<PoolIndexStore | WorkClaims, E>): void => {
  layer(stores)(`PoolIndexStore on ${name}`, (it) => {
    /** Claims due pools until it has claimed this one. */
    const claimPool = Effect.fnUntraced(function* (pool: IndexedPool["pool"], now: number) {
      const store = yield* PoolIndexStore
      for (;;) {
        const claim = yield* store.claim(at(now), at(now + 10))
        if (Option.isNone(claim)) return assert.fail("nothing is due")
        if (claim.value.pool.address === pool.address) return claim.value
      }
    })

    const followPool = Effect.fnUntraced(function* (now: number) {
      const store = yield* PoolIndexStore
      const pool = aPool()
      yield* store.recordRequest(pool, at(now), MANY)
      return { pool, store }
    })

    it.effect("assigns a pool to one worker at a time, until the claim expires", () =>
      Effect.gen(function* () {
        const { pool, store } = yield* followPool(0)
        const firstClaim = yield* claimPool(pool, 0)
        assert.deepStrictEqual(firstClaim.pool, pool)
        assert.isNull(firstClaim.progress)
        assert.isTrue(Option.isNone(yield* store.claim(at(5), at(15))))
        const secondClaim = yield* claimPool(pool, 10)
        assert.isFalse(yield* store.store(firstClaim, stepOf({})))
        assert.isNull(Option.getOrThrow(yield* store.find(pool)).progress)
        assert.isTrue(yield* store.store(secondClaim, stepOf({})))
        assert.isTrue(Option.isNone(yield* store.claim(at(100), at(110))))
      })
    )

    it.effect("assigns a pool to one of many concurrent callers", () =>
      Effect.gen(function* () {
        const { pool, store } = yield* followPool(100)
        const claims = yield* Effect.all(
          Array.from({ length: 8 }, () => store.claim(at(100), at(1_000))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          claims.filter((claim) => Option.isSome(claim) && claim.value.pool.address === pool.address).length,
          1
        )
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        yield* store.store(yield* claimPool(pool, 100), stepOf({}))
      })
    )

    it.effect("adds to final counts, and replaces recent counts", () =>
      Effect.gen(function* () {
        const { pool, store } = yield* followPool(200)
        const storeStep = Effect.fnUntraced(function* (changes: Partial<IndexStep>) {
          assert.isTrue(yield* store.store(yield* claimPool(pool, 200), stepOf({ dueAt: at(200), ...changes })))
        })
        yield* storeStep({ counted: [anHour(5), anHour(6, 2n)], recent: [anHour(6), anHour(7)] })
        yield* storeStep({ counted: [anHour(6, 3n), anHour(4)] })
        assert.deepStrictEqual(sumByHour(yield* store.listHours(pool, 0)), [
          anHour(4),
          anHour(5),
          anHour(6, 6n),
          anHour(7)
        ])
        yield* storeStep({ recent: [anHour(8)] })
        assert.deepStrictEqual(sumByHour(yield* store.listHours(pool, 5)), [anHour(5), anHour(6, 5n), anHour(8)])
        const progress = aProgress({ isWhole: true, headSeenAt: 5, span: 7 })
        yield* storeStep({ progress })
        assert.deepStrictEqual(Option.getOrThrow(yield* store.find(pool)).progress, progress)
        yield* storeStep({ progress: null, dueAt: at(1_000_000) })
        assert.deepStrictEqual(yield* store.listHours(pool, 0), [])
        assert.isNull(Option.getOrThrow(yield* store.find(pool)).progress)
      })
    )

    it.effect("stores a thousand hours in one call", () =>
      Effect.gen(function* () {
        const { pool, store } = yield* followPool(300)
        const hours = Array.from({ length: 1_200 }, (_, i) => anHour(i, BigInt(i + 1)))
        yield* store.store(yield* claimPool(pool, 300), stepOf({ counted: hours, recent: hours }))
        assert.deepStrictEqual(yield* store.listHours({ ...pool, chainId: 10 }, 0), [])
        assert.strictEqual((yield* store.listHours(pool, 1_000)).length, 400)
      })
    )

    it.effect(
      "stores a limited number of pools, and deletes the least recently requested pools with their counts",
      () =>
        Effect.gen(function* () {
          const { pool, store } = yield* followPool(400)
          yield* store.store(yield* claimPool(pool, 400), stepOf({ counted: [anHour(1)], recent: [anHour(2)] }))
          const otherPools = [aPool(), aPool()]
          for (const [i, other] of otherPools.entries()) yield* store.recordRequest(other, at(500 + i), 2)
          assert.deepStrictEqual(
            (yield* store.list).map((indexed) => indexed.pool),
            otherPools.toReversed()
          )
          assert.deepStrictEqual(yield* store.listHours(pool, 0), [])
          yield* store.recordRequest(otherPools[0]!, at(600), 2)
          assert.deepStrictEqual(
            (yield* store.list).map((indexed) => indexed.pool),
            otherPools
          )
        })
    )
  })
}
