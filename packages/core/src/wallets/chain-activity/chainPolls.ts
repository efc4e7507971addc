import { Clock, Effect } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { BlockMark } from "../../trading/pools/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivitySettings } from "./ActivitySettings.ts"
import type { WatchedChain } from "./ActivityStore.ts"
import { blockReads } from "./blockReads.ts"
import { type BlockRangeActivity, ChainActivity, type ReadError } from "./ChainActivity.ts"
import { detectedTransferRecords } from "./detectedTransferRecords.ts"
import { rewindChain } from "./rewindChain.ts"
import { BACKFILL_SPAN, halveSpan, LOG_SPAN, NATIVE_TOKEN_SPAN } from "./spans.ts"

/** Number of recent blocks whose hashes are stored to detect reorgs. */
const MAX_RECENT_MARKS = 16
/**
 * Milliseconds before the head at which the watcher starts, because a wallet may have received native tokens just
 * before the first poll.
 */
const START_DISTANCE_MS = 10_000

/** Updates the stored blocks after a step: the last block, and several earlier ones. */
const withBlocks = (progress: WatchProgress, marks: ReadonlyArray<BlockMark>): WatchProgress => {
  const last = marks.at(-1) ?? progress.last
  const recent = [...progress.recent, progress.last, ...marks].filter(({ number }) => number < last.number)
  return { ...progress, last, recent: recent.slice(-MAX_RECENT_MARKS) }
}

/** Reads the blocks of a chain in order. */
export const chainPolls = Effect.gen(function* () {
  const chain = yield* ChainActivity
  const settings = yield* ActivitySettings
  const { foundIn, keep } = yield* detectedTransferRecords
  const readBlocks = yield* blockReads
  const { isReplaced, rewind } = yield* rewindChain

  const usualSpan = settings.withNativeToken ? NATIVE_TOKEN_SPAN : LOG_SPAN

  const startAtHead = Effect.fnUntraced(function* (chainId: EvmChainId) {
    const head = yield* chain.readHead(chainId)
    const firstDistance = Math.ceil(START_DISTANCE_MS / chainOf(chainId).blockTimeMs)
    const [first] = yield* chain.readBlockMarks(chainId, [Math.max(0, head.number - firstDistance)])
    const progress: WatchProgress = {
      last: first ?? head,
      recent: [],
      span: usualSpan,
      backfillSpan: BACKFILL_SPAN,
      headNumber: head.number,
      headSeenAt: yield* Clock.currentTimeMillis,
      seesInternalNativeToken: settings.withNativeToken
    }
    return progress
  })

  /** Reads the next blocks. */
  const pollBlocks = Effect.fnUntraced(function* (
    claimedChain: WatchedChain<EvmChainId>,
    previousProgress: WatchProgress,
    accounts: ReadonlyArray<Address> | null
  ): Effect.fn.Return<WatchProgress, ReadError> {
    const { chainId } = claimedChain
    const head = yield* chain.readHead(chainId)
    const progress = { ...previousProgress, headNumber: head.number, headSeenAt: yield* Clock.currentTimeMillis }
    if (yield* isReplaced(chainId, progress, head)) return yield* rewind(claimedChain, progress, head)
    if (head.number <= progress.last.number) {
      yield* keep(claimedChain, progress, [])
      return progress
    }
    const range = {
      from: progress.last.number + 1,
      to: Math.min(head.number, progress.last.number + progress.span)
    }
    const nativeToken = settings.withNativeToken ? "EVERY_BLOCK" : "NONE"
    return yield* Effect.matchEffect(
      readBlocks(chainId, { range, among: accounts, nativeToken, anchor: progress.last }),
      {
        onSuccess: Effect.fnUntraced(function* (blocks: BlockRangeActivity) {
          const { seesInternalNativeToken } = blocks
          const span = Math.min(usualSpan, progress.span * 2)
          const next = { ...withBlocks(progress, blocks.marks), seesInternalNativeToken, span }
          yield* keep(claimedChain, next, yield* foundIn(chainId, blocks))
          return next
        }),
        onFailure: Effect.fnUntraced(function* (failure: ReadError): Effect.fn.Return<WatchProgress, ReadError> {
          if (failure._tag === "BLOCK_GONE") return yield* rewind(claimedChain, progress, head)
          if (failure._tag !== "RANGE_REFUSED" || progress.span === 1) return yield* Effect.fail(failure)
          const reducedProgress = { ...progress, span: halveSpan(progress.span) }
          yield* keep(claimedChain, reducedProgress, [])
          return reducedProgress
        })
      }
    )
  })

  return { begin: startAtHead, goOn: pollBlocks }
})
