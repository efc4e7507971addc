import { DateTime, Effect } from "effect"
import { delayForAgeMs } from "../../foundation/work/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"

/** Delay before the next check of a transaction whose state can change without a new block. */
const WAIT = { shortestMs: 5_000, longestMs: 600_000, share: 1 / 4 }

/** Schedules the next checks of detected transactions. */
export const detectedTransferChecks = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore

  const nextCheckAt = Effect.fnUntraced(function* ({ seenAt }: StoredBitcoinTransfer) {
    const now = yield* DateTime.now
    return DateTime.add(now, { milliseconds: delayForAgeMs(seenAt, now, WAIT) })
  })
  const postpone = (storedTransfer: StoredBitcoinTransfer) =>
    Effect.flatMap(nextCheckAt(storedTransfer), (dueAt) => store.postpone(storedTransfer, dueAt))

  return { nextCheck: nextCheckAt, later: postpone }
})
