import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import type { BlockMark, IndexProgress } from "./IndexProgress.ts"
import { hoursOf, type PoolEvent } from "./PoolActivity.ts"
import { type BlockGone, type BlockRange, type EventsOfRange, PoolEvents, type RangeRefused } from "./PoolEvents.ts"
import { type IndexedPool, type IndexStep, PoolIndexStore } from "./PoolIndexStore.ts"

/** No other worker takes a pool for so long: longer than any step takes, however slow the node is. */
const LEASE_SECONDS = 120
const STEP_MS = 100_000
/** Blocks that are asked for at first. */
const FIRST_SPAN = 2_000
const LARGEST_SPAN = 1_000_000
/** More events than this in an answer are asked for in smaller parts next time, fewer in larger ones. */
const MANY_EVENTS = 5_000
/** How often the head is looked at, of a pool that was asked for lately and of others. */
const LOOK_MS = 3_000
const IDLE_LOOK_MS = 300_000
const LATELY_MS = 600_000
/** Wait after a node that did not answer, and after one that wants smaller ranges. */
const RETRY_MS = 10_000
const SMALLER_MS = 250
/** The longest range of statistics, and a day. */
const LONGEST_RANGE_SECONDS = 366 * 86_400

/** The events of a step, and the progress of the index with it. */
interface Found {
  readonly progress: IndexProgress
  readonly counted: ReadonlyArray<PoolEvent>
  /** Of blocks that may still change; null where these were not read. */
  readonly recent: ReadonlyArray<PoolEvent> | null
}

type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

const tooSlow = new UpstreamUnavailable({ upstream: "The chain's node", reason: `no answers within ${STEP_MS} ms` })

/** The next part is half of one that was refused or large, and somewhat larger after a small one. */
const nextSpan = (span: number, events: number): number => {
  if (events > MANY_EVENTS) return Math.max(1, Math.floor(span / 2))
  return Math.min(LARGEST_SPAN, Math.ceil(span * 1.25))
}

/** Counts what happens in the pools that were asked for, step by step: back from now, and on with the chain. */
export class PoolIndexing extends Context.Service<
  PoolIndexing,
  {
    /** Takes one step of the pool that has been due for longest. Answers the number of events, or null where none is due. */
    readonly indexDue: Effect.Effect<number | null>
  }
>()("@countersign/core/pools/PoolIndexing") {
  static readonly layer = Layer.effect(
    PoolIndexing,
    Effect.gen(function* () {
      const store = yield* PoolIndexStore
      const chain = yield* PoolEvents
      const finality = yield* Finality

      const finalBlock = (chainId: EvmChainId, head: number) => Math.max(0, head - finality(chainId).blocks)

      /** A range in parts of the span, one after the other, each anchored on the one before. */
      const readInParts = Effect.fnUntraced(function* (
        { pool }: IndexedPool,
        { from, to }: BlockRange,
        anchor: BlockMark,
        span: number
      ) {
        const parts: Array<EventsOfRange> = []
        for (let start = from; start <= to; start += span) {
          const range = { from: start, to: Math.min(to, start + span - 1) }
          parts.push(yield* chain.between(pool, range, parts.at(-1)?.last ?? anchor))
        }
        return { events: parts.flatMap(({ events }) => events), last: parts.at(-1)?.last ?? anchor }
      })

      /** The first step: the latest block that can't change. */
      const begin = Effect.fnUntraced(function* ({ pool }: IndexedPool): Effect.fn.Return<Found, ReadError> {
        const at = finalBlock(pool.chainId, yield* chain.head(pool.chainId))
        const { events, first, last } = yield* chain.between(pool, { from: at, to: at }, null)
        const progress: IndexProgress = { first, last, isWhole: at === 0, headSeenAt: null, span: FIRST_SPAN }
        return { progress, counted: events, recent: null }
      })

      /** On with the chain: what has become final is added, what has not is read anew. */
      const goOn = Effect.fnUntraced(function* (
        indexed: IndexedPool,
        progress: IndexProgress,
        now: number
      ): Effect.fn.Return<Found, ReadError> {
        const { pool } = indexed
        const { first, last, span } = progress
        const head = yield* chain.head(pool.chainId)
        if (head < last.number) {
          // Another chain than before, or a node that is behind: the first block tells them apart.
          yield* chain.between(pool, { from: first.number, to: first.number }, first)
          return yield* new UpstreamUnavailable({
            upstream: "The chain's node",
            reason: `it has ${head} blocks, of which ${last.number} were final before`
          })
        }
        const final = Math.max(last.number, finalBlock(pool.chainId, head))
        const to = Math.min(final, last.number + span)
        const counted = yield* readInParts(indexed, { from: last.number + 1, to }, last, span)
        if (to < final) {
          // Far behind: what was recent before is being counted for good, and what is recent now is not known yet.
          const grown = {
            ...progress,
            last: counted.last,
            headSeenAt: null,
            span: nextSpan(span, counted.events.length)
          }
          return { progress: grown, counted: counted.events, recent: [] }
        }
        const recent = yield* readInParts(indexed, { from: final + 1, to: head }, counted.last, span)
        const seen = { ...progress, last: counted.last, headSeenAt: now }
        return { progress: seen, counted: counted.events, recent: recent.events }
      })

      const goBack = Effect.fnUntraced(function* (
        { pool }: IndexedPool,
        progress: IndexProgress,
        now: number
      ): Effect.fn.Return<Found, ReadError> {
        const { first: before, span } = progress
        const range = { from: Math.max(0, before.number - span), to: before.number - 1 }
        const { events, first } = yield* chain.between(pool, range, before)
        const isWhole =
          first.number === 0 ||
          first.at < now / 1_000 - LONGEST_RANGE_SECONDS ||
          events.some(({ kind }) => kind === "CREATED")
        return {
          progress: { ...progress, first, isWhole, span: nextSpan(span, events.length) },
          counted: events,
          recent: null
        }
      })

      const read = (indexed: IndexedPool, now: number) => {
        const { progress } = indexed
        if (progress === null) return begin(indexed)
        const isSeen = progress.headSeenAt !== null && now - progress.headSeenAt < LOOK_MS
        return isSeen && !progress.isWhole ? goBack(indexed, progress, now) : goOn(indexed, progress, now)
      }

      const dueAfterMs = ({ headSeenAt, isWhole }: IndexProgress, askedAt: DateTime.Utc, now: number): number => {
        if (headSeenAt === null || !isWhole) return 0
        return now - DateTime.toEpochMillis(askedAt) < LATELY_MS ? LOOK_MS : IDLE_LOOK_MS
      }

      const nothingFound = (progress: IndexProgress | null, dueAt: DateTime.Utc): IndexStep => ({
        progress,
        counted: [],
        recent: null,
        dueAt
      })

      const takeStep = Effect.fnUntraced(function* (indexed: IndexedPool) {
        const { askedAt, pool, progress } = indexed
        const now = yield* Clock.currentTimeMillis
        const inMs = (ms: number) => DateTime.makeUnsafe(now + ms)
        const found = yield* Effect.result(
          Effect.timeoutOrElse(read(indexed, now), { duration: STEP_MS, orElse: () => Effect.fail(tooSlow) })
        )
        if (found._tag === "Success") {
          const { counted, recent, progress: next } = found.success
          const step = {
            progress: next,
            counted: hoursOf(counted, pool.feePips),
            recent: recent === null ? null : hoursOf(recent, pool.feePips),
            dueAt: inMs(dueAfterMs(next, askedAt, now))
          }
          return { step, events: counted.length }
        }
        const { failure } = found
        if (failure._tag === "BLOCK_GONE") {
          yield* Effect.logWarning("a block that was final is gone: the pool is indexed anew", { ...pool })
          return { step: nothingFound(null, inMs(0)), events: 0 }
        }
        yield* Effect.logDebug("a step of a pool's index failed", { ...pool, reason: failure.message })
        if (failure._tag === "RANGE_REFUSED" && progress !== null && progress.span > 1) {
          const span = Math.max(1, Math.floor(progress.span / 2))
          return { step: nothingFound({ ...progress, span }, inMs(SMALLER_MS)), events: 0 }
        }
        return { step: nothingFound(progress, inMs(RETRY_MS)), events: 0 }
      })

      const indexDue = Effect.gen(function* () {
        const now = yield* DateTime.now
        const claimed = yield* store.claim(now, DateTime.add(now, { seconds: LEASE_SECONDS }))
        if (Option.isNone(claimed)) return null
        const { events, step } = yield* takeStep(claimed.value)
        return (yield* store.store(claimed.value, step)) ? events : 0
      })

      return PoolIndexing.of({ indexDue: Effect.withSpan(indexDue, "PoolIndexing.indexDue") })
    })
  )
}
