import { Effect } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import type { BlockMark } from "../../trading/pools/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityRecords } from "./ActivityRecords.ts"
import { ActivityStore, type WatchedChain } from "./ActivityStore.ts"
import { ChainActivity } from "./ChainActivity.ts"
import { detectedTransferRecords } from "./detectedTransferRecords.ts"

const nodeError = (chainId: EvmChainId, reason: string) =>
  new UpstreamUnavailable({ upstream: `${chainOf(chainId).name} RPC node`, reason })

/** Detects a reorg, and returns to the fork point. */
export const rewindChain = Effect.gen(function* () {
  const chain = yield* ChainActivity
  const store = yield* ActivityStore
  const records = yield* ActivityRecords
  const reader = yield* ChainReader
  const finality = yield* Finality
  const { keep } = yield* detectedTransferRecords

  /**
   * Returns the latest stored block that is still on the current chain. If there is none, returns the latest block that
   * is final by its depth.
   */
  const findFork = Effect.fnUntraced(function* (chainId: EvmChainId, { last, recent }: WatchProgress, head: number) {
    const knownMarks = recent.filter(({ number }) => number <= head)
    const currentMarks = yield* chain.readBlockMarks(
      chainId,
      knownMarks.map(({ number }) => number)
    )
    const commonMark = knownMarks.findLast(({ hash }, index) => currentMarks[index]?.hash === hash)
    if (commonMark !== undefined) return commonMark
    const number = Math.max(0, Math.min(last.number, head) - finality(chainId).blocks)
    const [mark] = yield* chain.readBlockMarks(chainId, [number])
    return mark ?? (yield* nodeError(chainId, `no node has block ${number}`))
  })

  /** Returns to the fork point, and reverts the transfers of orphaned blocks. */
  const rewind = Effect.fnUntraced(function* (
    claimedChain: WatchedChain<EvmChainId>,
    progress: WatchProgress,
    head: BlockMark
  ) {
    const { chainId } = claimedChain
    const fork = yield* findFork(chainId, progress, head.number)
    const storedTransfers = yield* store.listSince(chainId, fork.number + 1)
    const orphanedBlocks = new Set<number>()
    for (const [blockNumber, group] of Map.groupBy(
      storedTransfers,
      ({ detectedTransfer }) => detectedTransfer.blockNumber
    )) {
      const { hash, isMissing = false } = yield* reader.agreedBlockAt(chainId, BigInt(blockNumber))
      // A block without a hash may still exist, unless several nodes agree that it does not.
      if (hash === null && !isMissing)
        return yield* nodeError(chainId, `two nodes do not agree on block ${blockNumber}`)
      if (group.some(({ detectedTransfer }) => detectedTransfer.blockHash !== hash)) orphanedBlocks.add(blockNumber)
    }
    const revertTransfers = Effect.forEach(
      storedTransfers.filter(
        ({ detectedTransfer, state }) => orphanedBlocks.has(detectedTransfer.blockNumber) && state !== "GONE"
      ),
      records.revert,
      { discard: true }
    )
    const recentMarks = progress.recent.filter(({ number }) => number < fork.number)
    yield* Effect.logInfo("a reorg replaced blocks", {
      chainId,
      from: fork.number + 1,
      transactions: storedTransfers.length
    })
    const rewoundProgress = { ...progress, last: fork, recent: recentMarks }
    yield* keep(claimedChain, rewoundProgress, [], revertTransfers)
    return rewoundProgress
  })

  /**
   * Returns whether a head that is not above the last block that was read shows that a reorg has replaced blocks. A
   * node that is only behind has the same blocks, but fewer of them.
   */
  const isReplaced = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    { last, recent }: WatchProgress,
    head: BlockMark
  ) {
    if (head.number > last.number) return false
    const knownMark = head.number === last.number ? last : recent.find(({ number }) => number === head.number)
    if (knownMark !== undefined) return knownMark.hash !== head.hash
    const { isMissing = false } = yield* reader.agreedBlockAt(chainId, BigInt(last.number))
    return isMissing && head.number < last.number - finality(chainId).blocks
  })

  return { isReplaced, rewind }
})
