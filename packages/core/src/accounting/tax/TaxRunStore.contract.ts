import { assert, layer } from "@effect/vitest"
import { type DateTime, Effect, type Layer, Redacted } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { TaxRunStore } from "./TaxRunStore.ts"
import { aTaxRun, aTaxSchedule } from "./TaxSchedule.fixture.ts"
import type { TaxRun } from "./TaxSchedule.ts"
import { TaxScheduleStore } from "./TaxScheduleStore.ts"

const farFuture = at(1e12)

const claimRuns = (
  worker: string,
  now: DateTime.Utc = at(50_000),
  leaseUntil: DateTime.Utc = at(100_000),
  limit = 100
) => TaxRunStore.use((store) => store.claim({ worker, now, leaseUntil, limit }))

/** Completes the unfinished runs of other tests, so that a test claims only its own runs. */
const clearStore = Effect.gen(function* () {
  const store = yield* TaxRunStore
  for (;;) {
    const remainingRuns = yield* claimRuns("cleaner", farFuture, at(2e12))
    if (remainingRuns.length === 0) return store
    yield* Effect.forEach(remainingRuns, ({ run }) =>
      store.record({ ...run, status: "DELIVERED", nextAttemptAt: null, endedAt: at(0) }, "cleaner")
    )
  }
})

const openRun = Effect.fnUntraced(function* (fields: Partial<TaxRun> = {}) {
  const schedules = yield* TaxScheduleStore
  const schedule = aTaxSchedule()
  const run = aTaxRun(schedule, fields)
  yield* schedules.insert(schedule)
  yield* schedules.openRun(schedule, run, at(1e11))
  return { schedule, run }
})

/** Contract tests that every `TaxRunStore` must pass. */
export const taxRunStoreContract = <E>(
  name: string,
  stores: Layer.Layer<TaxScheduleStore | TaxRunStore | WorkClaims, E>
): void => {
  layer(stores)(`TaxRunStore on ${name}`, (it) => {
    it.effect("claims runs with their schedules, the longest overdue first, and none before it is due", () =>
      Effect.gen(function* () {
        yield* clearStore
        const lateRun = yield* openRun({ nextAttemptAt: at(30) })
        const earlyRun = yield* openRun({ nextAttemptAt: at(10) })
        assert.deepStrictEqual(yield* claimRuns("a", at(9)), [])
        const [first, second] = yield* claimRuns("a", at(30))
        assert.deepStrictEqual([first?.run, second?.run], [earlyRun.run, lateRun.run])
        assert.strictEqual(first!.schedule.id, earlyRun.schedule.id)
        assert.strictEqual(Redacted.value(first!.schedule.email), Redacted.value(earlyRun.schedule.email))
      })
    )

    it.effect("assigns each run to one of eight concurrent workers", () =>
      Effect.gen(function* () {
        yield* clearStore
        const allRuns = yield* Effect.forEach(Array.from({ length: 20 }), () => openRun())
        const claims = yield* Effect.forEach(
          ["a", "b", "c", "d", "e", "f", "g", "h"],
          (worker) => claimRuns(worker, at(50_000), at(100_000), 5),
          { concurrency: 8 }
        )
        assert.deepStrictEqual(
          claims
            .flat()
            .map(({ run }) => run.id)
            .toSorted(),
          allRuns.map(({ run }) => run.id).toSorted()
        )
      })
    )

    it.effect(
      "lets another worker claim a run after the claim has expired, and rejects the first worker's result",
      () =>
        Effect.gen(function* () {
          const store = yield* clearStore
          const { run } = yield* openRun({ nextAttemptAt: at(0) })
          assert.strictEqual((yield* claimRuns("dead", at(1), at(2_000))).length, 1)
          assert.deepStrictEqual(yield* claimRuns("heir", at(1_999)), [])
          assert.strictEqual((yield* claimRuns("heir", at(2_000), at(9_000))).length, 1)
          const endedRun: TaxRun = {
            ...run,
            status: "DELIVERED",
            attempts: 1,
            nextAttemptAt: null,
            endedAt: at(2_500)
          }
          assert.isFalse(yield* store.record(endedRun, "dead"))
          yield* store.release(run.projectId, run.id, "dead")
          assert.deepStrictEqual(yield* claimRuns("other", at(3_000)), [])
          assert.isTrue(yield* store.record(endedRun, "heir"))
          assert.isFalse(yield* store.record(endedRun, "heir"))
          assert.deepStrictEqual(yield* store.list(run.projectId, run.scheduleId, 1), [endedRun])
          assert.deepStrictEqual(yield* claimRuns("other", farFuture), [])
        })
    )

    it.effect("releases one claim or all claims", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const { run } = yield* openRun()
        yield* claimRuns("a")
        yield* store.release(run.projectId, run.id, "a")
        assert.strictEqual((yield* claimRuns("b")).length, 1)
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        assert.strictEqual((yield* claimRuns("c")).length, 1)
      })
    )

    it.effect("counts due runs, and lists retries and failures", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const idleBacklog = yield* store.readBacklog(at(50_000))
        assert.deepStrictEqual([idleBacklog.due, idleBacklog.oldestDueAt], [0, null])
        const [successfulEntry, retriedEntry, failedEntry] = [
          yield* openRun({ nextAttemptAt: at(20) }),
          yield* openRun({ nextAttemptAt: at(10) }),
          yield* openRun({ nextAttemptAt: at(15) })
        ]
        yield* claimRuns("a", at(16))
        const retriedRun: TaxRun = {
          ...retriedEntry.run,
          attempts: 3,
          nextAttemptAt: at(90_000),
          lastError: "refused with 451"
        }
        const endedRun: TaxRun = {
          ...failedEntry.run,
          status: "FAILED",
          attempts: 1,
          nextAttemptAt: null,
          lastError: "refused with 550",
          endedAt: at(1e11)
        }
        yield* store.record(retriedRun, "a")
        yield* store.record(endedRun, "a")
        const backlog = yield* store.readBacklog(at(20))
        assert.deepStrictEqual([backlog.due, backlog.oldestDueAt], [1, successfulEntry.run.nextAttemptAt])
        assert.deepStrictEqual(backlog.troubled.slice(0, 2), [retriedRun, endedRun])
      })
    )
  })
}
