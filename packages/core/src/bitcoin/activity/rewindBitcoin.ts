import { Clock, DateTime, Effect } from "effect"
import type { BlockMark } from "../../trading/pools/index.ts"
import { keepStep, type WatchedChain, type WatchProgress } from "../../wallets/chain-activity/index.ts"
import { type BitcoinBlock, BitcoinChain } from "../chain/index.ts"
import { upstream } from "../payments/index.ts"
import { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"

/** Blocks behind the tip from which on addresses are read, and not the blocks between. */
export const MOST_BEHIND = 6

export type Claimed = WatchedChain<0>

export const markOf = ({ hash, height }: BitcoinBlock, minedAtMs: number): BlockMark => ({
  number: height,
  hash,
  at: Math.floor(minedAtMs / 1_000)
})

/** Where the watch of the chain begins, and where it goes when blocks were replaced or too many were missed. */
export const rewindBitcoin = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const store = yield* BitcoinActivityStore
  const records = yield* BitcoinActivityRecords
  const keep = yield* keepStep

  /** From the chain's end on. What was before is in the histories of the addresses. */
  const beginAt = Effect.fnUntraced(function* (tip: BitcoinBlock) {
    const now = yield* Clock.currentTimeMillis
    const progress: WatchProgress = {
      last: markOf(tip, now),
      recent: [],
      span: 1,
      backfillSpan: 1,
      headNumber: tip.height,
      headSeenAt: now,
      seesInternalCoin: true
    }
    return progress
  })

  /** To the chain's end after a long pause: by addresses, which costs less than the blocks between. */
  const jump = Effect.fnUntraced(function* (claimed: Claimed, before: WatchProgress, tip: BitcoinBlock) {
    const now = yield* DateTime.now
    const progress = yield* beginAt(tip)
    const sighted = yield* store.above(-1)
    const again = Effect.andThen(
      Effect.forEach(sighted, records.revert, { discard: true }),
      store.lookAgain(Math.max(0, before.last.number - MOST_BEHIND), now)
    )
    yield* keep(claimed, progress, again)
    return progress
  })

  /** Back to the last block that this chain and the one that was read have in common. */
  const rewind = Effect.fnUntraced(function* (claimed: Claimed, progress: WatchProgress, tip: BitcoinBlock) {
    let fork: BlockMark | null = null
    for (const mark of progress.recent.toReversed()) {
      if (mark.number > tip.height) continue
      if ((yield* upstream(chain.blockHash(mark.number))) !== mark.hash) continue
      fork = mark
      break
    }
    if (fork === null) return yield* jump(claimed, progress, tip)
    const common = fork.number
    const sighted = yield* store.above(common)
    yield* Effect.logInfo("blocks of Bitcoin's chain were replaced", {
      from: common + 1,
      transactions: sighted.length
    })
    const rewound = { ...progress, last: fork, recent: progress.recent.filter(({ number }) => number < common) }
    yield* keep(claimed, rewound, Effect.forEach(sighted, records.revert, { discard: true }))
    return rewound
  })

  /** Whether the chain that was read is another one, and not the same with more blocks than this host has. */
  const isReplaced = Effect.fnUntraced(function* ({ last, recent }: WatchProgress, tip: BitcoinBlock) {
    const known = tip.height >= last.number ? last : recent.find(({ number }) => number === tip.height)
    if (known === undefined) return false
    const hash = known.number === tip.height ? tip.hash : yield* upstream(chain.blockHash(known.number))
    return hash !== null && hash !== known.hash
  })

  return { beginAt, isReplaced, jump, rewind }
})
