import { Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import type { BlockMark, IndexProgress } from "./IndexProgress.ts"
import type { PoolEvent } from "./PoolActivity.ts"
import { type BlockGone, type BlockRange, type EventsOfRange, PoolEvents, type RangeRefused } from "./PoolEvents.ts"
import type { IndexedPool } from "./PoolIndexStore.ts"

/** The initial number of blocks per request. */
const INITIAL_BLOCK_RANGE = 2_000
const MAX_BLOCK_RANGE = 1_000_000
/** Number of events in a response above which the next log query covers fewer blocks. */
const MANY_EVENTS = 5_000
/** Interval between two reads of a chain's head, for a pool with recent requests. */
export const HEAD_WAIT_MS = 3_000
/** The longest range of statistics, plus one day. */
const MAX_RANGE_SECONDS = 366 * 86_400

/** The events that a step has read, and the resulting progress of the index. */
export interface PoolRead {
  readonly progress: IndexProgress
  readonly counted: ReadonlyArray<PoolEvent>
  /** Events of recent blocks, which are not final. Null if they were not read. */
  readonly recent: ReadonlyArray<PoolEvent> | null
}

type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** Returns the number of blocks of the next query: half after a response with many events, otherwise a quarter more. */
const nextBlockRange = (span: number, events: number): number => {
  if (events > MANY_EVENTS) return Math.max(1, Math.floor(span / 2))
  return Math.min(MAX_BLOCK_RANGE, Math.ceil(span * 1.25))
}

/** Reads the next events of a pool: of the blocks after or before the indexed ones. */
export const poolReads = Effect.gen(function* () {
  const chain = yield* PoolEvents
  const finality = yield* Finality

  const finalBlock = (chainId: EvmChainId, head: number) => Math.max(0, head - finality(chainId).blocks)

  /**
   * Reads a range with several queries of `span` blocks. The anchor of each query is the last block of the previous
   * one.
   */
  const readInChunks = Effect.fnUntraced(function* (
    { pool }: IndexedPool,
    { from, to }: BlockRange,
    anchor: BlockMark,
    span: number
  ) {
    const chunks: Array<EventsOfRange> = []
    for (let start = from; start <= to; start += span) {
      const range = { from: start, to: Math.min(to, start + span - 1) }
      chunks.push(yield* chain.listBetween(pool, range, chunks.at(-1)?.last ?? anchor))
    }
    return { events: chunks.flatMap(({ events }) => events), last: chunks.at(-1)?.last ?? anchor }
  })

  /** Reads the latest final block, as the first step. */
  const readFirst = Effect.fnUntraced(function* ({ pool }: IndexedPool): Effect.fn.Return<PoolRead, ReadError> {
    const finalNumber = finalBlock(pool.chainId, yield* chain.readHead(pool.chainId))
    const { events, first, last } = yield* chain.listBetween(pool, { from: finalNumber, to: finalNumber }, null)
    const progress: IndexProgress = {
      first,
      last,
      isWhole: finalNumber === 0,
      headSeenAt: null,
      span: INITIAL_BLOCK_RANGE
    }
    return { progress, counted: events, recent: null }
  })

  /**
   * Reads forward: events that have become final and, unless the index is far behind, again the events that are not
   * final.
   */
  const readForward = Effect.fnUntraced(function* (
    indexedPool: IndexedPool,
    progress: IndexProgress,
    now: number
  ): Effect.fn.Return<PoolRead, ReadError> {
    const { pool } = indexedPool
    const { first, last, span } = progress
    const head = yield* chain.readHead(pool.chainId)
    if (head < last.number) {
      // Either a reorg removed blocks that were final, or the node is behind. Reading the first indexed block
      // distinguishes the two: it fails after a reorg.
      yield* chain.listBetween(pool, { from: first.number, to: first.number }, first)
      return yield* new UpstreamUnavailable({
        upstream: "The chain's node",
        reason: `its latest block is ${head}, but block ${last.number} was already final`
      })
    }
    const finalNumber = Math.max(last.number, finalBlock(pool.chainId, head))
    const toBlock = Math.min(finalNumber, last.number + span)
    const finalEvents = yield* readInChunks(indexedPool, { from: last.number + 1, to: toBlock }, last, span)
    if (toBlock < finalNumber) {
      // The index is far behind: events that were recent are now final, and the current recent events have not been
      // read yet.
      const advancedProgress = {
        ...progress,
        last: finalEvents.last,
        headSeenAt: null,
        span: nextBlockRange(span, finalEvents.events.length)
      }
      return { progress: advancedProgress, counted: finalEvents.events, recent: [] }
    }
    const recent = yield* readInChunks(indexedPool, { from: finalNumber + 1, to: head }, finalEvents.last, span)
    const progressAtHead = { ...progress, last: finalEvents.last, headSeenAt: now }
    return { progress: progressAtHead, counted: finalEvents.events, recent: recent.events }
  })

  const readBackward = Effect.fnUntraced(function* (
    { pool }: IndexedPool,
    progress: IndexProgress,
    now: number
  ): Effect.fn.Return<PoolRead, ReadError> {
    const { first: firstIndexedBlock, span } = progress
    const range = { from: Math.max(0, firstIndexedBlock.number - span), to: firstIndexedBlock.number - 1 }
    const { events, first } = yield* chain.listBetween(pool, range, firstIndexedBlock)
    const isWhole =
      first.number === 0 || first.at < now / 1_000 - MAX_RANGE_SECONDS || events.some(({ kind }) => kind === "CREATED")
    return {
      progress: { ...progress, first, isWhole, span: nextBlockRange(span, events.length) },
      counted: events,
      recent: null
    }
  })

  return (indexedPool: IndexedPool, now: number) => {
    const { progress } = indexedPool
    if (progress === null) return readFirst(indexedPool)
    const isHeadRecent = progress.headSeenAt !== null && now - progress.headSeenAt < HEAD_WAIT_MS
    return isHeadRecent && !progress.isWhole
      ? readBackward(indexedPool, progress, now)
      : readForward(indexedPool, progress, now)
  }
})
