import { Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import type { BlockMark, IndexProgress } from "./IndexProgress.ts"
import type { PoolEvent } from "./PoolActivity.ts"
import { type BlockGone, type BlockRange, type EventsOfRange, PoolEvents, type RangeRefused } from "./PoolEvents.ts"
import type { IndexedPool } from "./PoolIndexStore.ts"

/** Blocks that are asked for at first. */
const FIRST_SPAN = 2_000
const LARGEST_SPAN = 1_000_000
/** More events than this in an answer are asked for in smaller parts next time, fewer in larger ones. */
const MANY_EVENTS = 5_000
/** Wait before the head of a chain is read again, for a pool that was requested lately. */
export const HEAD_WAIT_MS = 3_000
/** The longest range of statistics, and a day. */
const LONGEST_RANGE_SECONDS = 366 * 86_400

/** The events of a step, and the progress of the index with it. */
export interface Found {
  readonly progress: IndexProgress
  readonly counted: ReadonlyArray<PoolEvent>
  /** Of blocks that may still change; null where these were not read. */
  readonly recent: ReadonlyArray<PoolEvent> | null
}

type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** The next part is half of one that was refused or large, and somewhat larger after a small one. */
const nextSpan = (span: number, events: number): number => {
  if (events > MANY_EVENTS) return Math.max(1, Math.floor(span / 2))
  return Math.min(LARGEST_SPAN, Math.ceil(span * 1.25))
}

/** Reads the next part of a pool's events: of the blocks after those that were read, or of those before. */
export const poolReads = Effect.gen(function* () {
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

  return (indexed: IndexedPool, now: number) => {
    const { progress } = indexed
    if (progress === null) return begin(indexed)
    const isSeen = progress.headSeenAt !== null && now - progress.headSeenAt < HEAD_WAIT_MS
    return isSeen && !progress.isWhole ? goBack(indexed, progress, now) : goOn(indexed, progress, now)
  }
})
