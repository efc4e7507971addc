import { Context, DateTime, Effect, Layer } from "effect"
import { ActivitySettings, IDLE_MS, makeWatchCycle, RETRY_MS } from "../../wallets/chain-activity/index.ts"
import { addressPolls, MAX_POLLS } from "./addressPolls.ts"
import { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import { bitcoinPolls } from "./bitcoinPolls.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { CONCURRENCY, FAILED_MS, logFailure } from "./logFailure.ts"
import type { ClaimedBitcoin } from "./rewindBitcoin.ts"

/** Interval between two polls of the chain, in milliseconds. */
const POLL_MS = 5_000
/**
 * Maximum number of detected transfers that a step checks. It also limits the transfers whose confirmations a step
 * updates.
 */
const RECORDED_PER_BATCH = 50

/** Runs a step of the chain watcher: reads the next block, polls addresses, and records the detected transfers. */
const watchStep = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore
  const records = yield* BitcoinActivityRecords
  const pollBlocks = yield* bitcoinPolls
  const pollAddresses = yield* addressPolls

  const recordDue = Effect.fnUntraced(function* (last: number) {
    const now = yield* DateTime.now
    const dueTransfers = yield* store.listDue(now, RECORDED_PER_BATCH)
    const retryAt = DateTime.add(now, { milliseconds: FAILED_MS })
    const recordTransfer = (one: StoredBitcoinTransfer) =>
      records.record(one, last).pipe(
        Effect.tapError(() => store.postpone(one, retryAt)),
        logFailure("recording a transaction")
      )
    yield* Effect.forEach(dueTransfers, recordTransfer, { concurrency: CONCURRENCY, discard: true })
    const outdatedTransfers = yield* store.listOutdated(last, RECORDED_PER_BATCH)
    yield* Effect.forEach(outdatedTransfers, (one) => records.confirm(one, last), { discard: true })
    return dueTransfers.length + outdatedTransfers.length
  })

  /** Returns the milliseconds until the next step. */
  return Effect.fnUntraced(function* (claimedChain: ClaimedBitcoin) {
    if ((yield* store.countAddresses) === 0) return IDLE_MS
    const { headNumber, last } = yield* pollBlocks(claimedChain)
    const isBehind = last.number < headNumber
    // Polls run before recording, so that this step also records the transfers that the polls detect.
    const polledCount = isBehind ? 0 : yield* pollAddresses(last.number)
    const recordedCount = yield* recordDue(last.number)
    // If no block was read because the server does not have the next block yet, the next step waits.
    if (isBehind) return last.hash === claimedChain.progress?.last.hash ? RETRY_MS : 0
    return recordedCount >= RECORDED_PER_BATCH || polledCount === MAX_POLLS ? POLL_MS / 10 : POLL_MS
  })
})

/** Detects Bitcoin transfers of registered addresses in steps, and records them. */
export class BitcoinWatch extends Context.Service<
  BitcoinWatch,
  {
    /** Whether Bitcoin is watched. */
    readonly isOn: boolean
    /** Runs a step if one is due. Returns false otherwise. */
    readonly watchDue: Effect.Effect<boolean>
  }
>()("@countersign/core/bitcoin-activity/BitcoinWatch") {
  static readonly layer = ({ isRead }: { readonly isRead: boolean }) =>
    Layer.effect(
      BitcoinWatch,
      Effect.gen(function* () {
        const isOn = isRead && (yield* ActivitySettings).isOn
        const watchDue = yield* makeWatchCycle({
          chainIds: () => (isOn ? [0 as const] : []),
          nameOf: () => "Bitcoin",
          step: yield* watchStep
        })
        return BitcoinWatch.of({ isOn, watchDue: Effect.withSpan(watchDue, "BitcoinWatch.watchDue") })
      })
    )
}
