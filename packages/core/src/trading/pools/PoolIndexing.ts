import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import { hoursOf } from "./PoolActivity.ts"
import { type IndexedPool, type IndexStep, PoolIndexStore } from "./PoolIndexStore.ts"
import { HEAD_WAIT_MS, poolReads } from "./poolReads.ts"

/** Duration of the claim on a pool. It is longer than any step, even with a slow node. */
const LEASE_SECONDS = 120
const STEP_MS = 100_000
/** Interval between two reads of the chain's head for a pool without recent requests. */
const IDLE_WAIT_MS = 300_000
const RECENT_REQUEST_MS = 600_000
/** Delays of the next step: after a node did not respond, and after a node required a smaller range. */
const RETRY_MS = 10_000
const SMALLER_RANGE_DELAY_MS = 250
const timeoutError = new UpstreamUnavailable({
  upstream: "The chain's node",
  reason: `no response within ${STEP_MS} ms`
})

/** Indexes the events of requested pools in steps: backward into the past, and forward with new blocks. */
export class PoolIndexing extends Context.Service<
  PoolIndexing,
  {
    /** Runs a step for the pool that is the longest overdue. Returns the number of events. Null if no pool is due. */
    readonly indexDue: Effect.Effect<number | null>
  }
>()("@countersign/core/pools/PoolIndexing") {
  static readonly layer = Layer.effect(
    PoolIndexing,
    Effect.gen(function* () {
      const store = yield* PoolIndexStore
      const readPool = yield* poolReads

      const dueAfterMs = ({ headSeenAt, isWhole }: IndexProgress, askedAt: DateTime.Utc, now: number): number => {
        if (headSeenAt === null || !isWhole) return 0
        return now - DateTime.toEpochMillis(askedAt) < RECENT_REQUEST_MS ? HEAD_WAIT_MS : IDLE_WAIT_MS
      }

      const emptyStep = (progress: IndexProgress | null, dueAt: DateTime.Utc): IndexStep => ({
        progress,
        counted: [],
        recent: null,
        dueAt
      })

      const runStep = Effect.fnUntraced(function* (indexedPool: IndexedPool) {
        const { askedAt, pool, progress } = indexedPool
        const now = yield* Clock.currentTimeMillis
        const timeAfter = (ms: number) => DateTime.makeUnsafe(now + ms)
        const readResult = yield* Effect.result(
          Effect.timeoutOrElse(readPool(indexedPool, now), {
            duration: STEP_MS,
            orElse: () => Effect.fail(timeoutError)
          })
        )
        if (readResult._tag === "Success") {
          const { counted, recent, progress: next } = readResult.success
          const step = {
            progress: next,
            counted: hoursOf(counted, pool.feePips),
            recent: recent === null ? null : hoursOf(recent, pool.feePips),
            dueAt: timeAfter(dueAfterMs(next, askedAt, now))
          }
          return { step, events: counted.length }
        }
        const { failure } = readResult
        if (failure._tag === "BLOCK_GONE") {
          yield* Effect.logWarning(
            "a reorg removed a block that was final: the pool is indexed again from the beginning",
            { ...pool }
          )
          return { step: emptyStep(null, timeAfter(0)), events: 0 }
        }
        yield* Effect.logDebug("a step of a pool's index failed", { ...pool, reason: failure.message })
        if (failure._tag === "RANGE_REFUSED" && progress !== null && progress.span > 1) {
          const span = Math.max(1, Math.floor(progress.span / 2))
          return { step: emptyStep({ ...progress, span }, timeAfter(SMALLER_RANGE_DELAY_MS)), events: 0 }
        }
        return { step: emptyStep(progress, timeAfter(RETRY_MS)), events: 0 }
      })

      const indexDue = Effect.gen(function* () {
        const now = yield* DateTime.now
        const claimedPool = yield* store.claim(now, DateTime.add(now, { seconds: LEASE_SECONDS }))
        if (Option.isNone(claimedPool)) return null
        const { events, step } = yield* runStep(claimedPool.value)
        return (yield* store.store(claimedPool.value, step)) ? events : 0
      })

      return PoolIndexing.of({ indexDue: Effect.withSpan(indexDue, "PoolIndexing.indexDue") })
    })
  )
}
