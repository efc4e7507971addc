import { Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivitySettings } from "./ActivitySettings.ts"
import { ActivityStore, type Backfill, type WatchedChain } from "./ActivityStore.ts"
import { blockReads } from "./blockReads.ts"
import type { ReadError } from "./ChainActivity.ts"
import { detectedTransferRecords } from "./detectedTransferRecords.ts"
import { detectedTransfersOf } from "./detectedTransfers.ts"
import { halveSpan, MAX_BACKFILL_SPAN } from "./spans.ts"

/** Number of touches in a response above which the next request covers fewer blocks. */
const MANY_TOUCHES = 5_000
/** Maximum number of wallets whose past is read in one request. */
const BACKFILLED_PER_BATCH = 100

/** Returns the wallets whose past is read next. All have the same progress. */
const nextBackfills = (backfills: ReadonlyArray<Backfill>): ReadonlyArray<Backfill> =>
  backfills.filter(({ next, to }) => next === backfills[0]!.next && to === backfills[0]!.to)

/** Reads the earlier blocks of new wallets. */
export const backfillWallets = Effect.gen(function* () {
  const readBlocks = yield* blockReads
  const store = yield* ActivityStore
  const settings = yield* ActivitySettings
  const { keep: storeStep } = yield* detectedTransferRecords

  /** Reads the next of these blocks. Returns false if there are none left. */
  return Effect.fnUntraced(function* (
    claimedChain: WatchedChain<EvmChainId>,
    progress: WatchProgress
  ): Effect.fn.Return<boolean, ReadError> {
    const { chainId } = claimedChain
    const backfills = yield* store.listBackfills(chainId, BACKFILLED_PER_BATCH)
    if (backfills.length === 0) return false
    const group = nextBackfills(backfills)
    const addresses = group.map(({ address }) => address)
    const lastBlock = group[0]!.to ?? progress.last.number
    const next = group[0]!.next ?? Math.max(0, lastBlock - settings.backfillBlocks + 1)
    if (settings.backfillBlocks === 0 || next > lastBlock) {
      yield* store.moveBackfills(chainId, group, null)
      return true
    }
    const range = { from: next, to: Math.min(lastBlock, next + progress.backfillSpan - 1) }
    const nativeToken = settings.withNativeToken ? "CHANGED_BALANCES" : "NONE"
    const blocksResult = yield* Effect.result(
      readBlocks(chainId, { range, among: addresses, nativeToken, anchor: null })
    )
    if (blocksResult._tag === "Failure") {
      if (blocksResult.failure._tag !== "RANGE_REFUSED" || progress.backfillSpan === 1)
        return yield* blocksResult.failure
      yield* storeStep(claimedChain, { ...progress, backfillSpan: halveSpan(progress.backfillSpan) }, [])
      return true
    }
    const { touches } = blocksResult.success
    const largerSpan = Math.min(MAX_BACKFILL_SPAN, Math.ceil(progress.backfillSpan * 1.25))
    const backfillSpan = touches.length > MANY_TOUCHES ? halveSpan(progress.backfillSpan) : largerSpan
    const remainingRange = range.to === lastBlock ? null : { next: range.to + 1, to: lastBlock }
    yield* storeStep(
      claimedChain,
      { ...progress, backfillSpan },
      detectedTransfersOf(chainId, touches, new Set(addresses)),
      store.moveBackfills(chainId, group, remainingRange)
    )
    return true
  })
})
