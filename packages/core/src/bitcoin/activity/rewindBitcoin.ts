import { Clock, DateTime, Effect } from "effect"
import type { BlockMark } from "../../trading/pools/index.ts"
import { makeStoreStep, type WatchedChain, type WatchProgress } from "../../wallets/chain-activity/index.ts"
import { type BitcoinBlock, BitcoinChain } from "../chain/index.ts"
import { mapToUpstream } from "../payments/index.ts"
import { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/**
 * Maximum number of blocks behind the tip for which the watcher reads the missed blocks. It is higher if many addresses
 * are registered. If the watcher is further behind, it polls the addresses instead.
 */
export const MAX_BEHIND = 6

export type ClaimedBitcoin = WatchedChain<0>

export const markOf = ({ hash, height }: BitcoinBlock, minedAtMs: number): BlockMark => ({
  number: height,
  hash,
  at: Math.floor(minedAtMs / 1_000)
})

/** Sets the block at which the chain watcher starts, or continues after a reorg or a long pause. */
export const rewindBitcoin = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const store = yield* BitcoinActivityStore
  const records = yield* BitcoinActivityRecords
  const storeStep = yield* makeStoreStep

  /** Starts at the tip. Earlier transactions are read from the histories of the addresses. */
  const beginAt = Effect.fnUntraced(function* (tip: BitcoinBlock) {
    const now = yield* Clock.currentTimeMillis
    const progress: WatchProgress = {
      last: markOf(tip, now),
      recent: [],
      span: 1,
      backfillSpan: 1,
      headNumber: tip.height,
      headSeenAt: now,
      seesInternalNativeToken: true
    }
    return progress
  })

  /** Continues at the tip, and schedules reads of the addresses' histories. */
  const skipToTip = Effect.fnUntraced(function* (
    claimedChain: ClaimedBitcoin,
    before: WatchProgress,
    tip: BitcoinBlock,
    checkTransfers: Effect.Effect<void>
  ) {
    const now = yield* DateTime.now
    const progress = yield* beginAt(tip)
    const recheck = store.scheduleRecheck(Math.max(0, before.last.number - MAX_BEHIND), now)
    yield* storeStep(claimedChain, progress, Effect.andThen(checkTransfers, recheck))
    return progress
  })

  /**
   * Continues at the tip after a long pause. The last block that was read is still on the chain, so only transfers in
   * later blocks are checked again.
   */
  const jump = Effect.fnUntraced(function* (claimedChain: ClaimedBitcoin, before: WatchProgress, tip: BitcoinBlock) {
    const now = yield* DateTime.now
    const laterTransfers = yield* store.listAbove(before.last.number)
    const checkTransfers = Effect.forEach(laterTransfers, (one) => store.postpone(one, now), { discard: true })
    return yield* skipToTip(claimedChain, before, tip, checkTransfers)
  })

  /** Returns to the last block that was read and is still on the current chain. */
  const rewind = Effect.fnUntraced(function* (
    claimedChain: ClaimedBitcoin,
    progress: WatchProgress,
    tip: BitcoinBlock
  ) {
    let fork: BlockMark | null = null
    for (const mark of progress.recent.toReversed()) {
      if (mark.number > tip.height) continue
      if ((yield* mapToUpstream(chain.blockHash(mark.number))) !== mark.hash) continue
      fork = mark
      break
    }
    if (fork === null) {
      const allTransfers = yield* store.listAbove(-1)
      const revertAll = Effect.forEach(allTransfers, records.revert, { discard: true })
      return yield* skipToTip(claimedChain, progress, tip, revertAll)
    }
    const forkHeight = fork.number
    const storedTransfers = yield* store.listAbove(forkHeight)
    yield* Effect.logInfo("a reorg replaced Bitcoin blocks", {
      from: forkHeight + 1,
      transactions: storedTransfers.length
    })
    const rewoundProgress = {
      ...progress,
      last: fork,
      recent: progress.recent.filter(({ number }) => number < forkHeight)
    }
    yield* storeStep(claimedChain, rewoundProgress, Effect.forEach(storedTransfers, records.revert, { discard: true }))
    return rewoundProgress
  })

  /**
   * Returns whether a reorg has replaced blocks that were read. A server that is only behind has the same blocks, but
   * fewer of them.
   */
  const isReplaced = Effect.fnUntraced(function* ({ last, recent }: WatchProgress, tip: BitcoinBlock) {
    const knownMark = tip.height >= last.number ? last : recent.find(({ number }) => number === tip.height)
    if (knownMark === undefined) return false
    const hash = knownMark.number === tip.height ? tip.hash : yield* mapToUpstream(chain.blockHash(knownMark.number))
    return hash !== null && hash !== knownMark.hash
  })

  return { beginAt, isReplaced, jump, rewind }
})
