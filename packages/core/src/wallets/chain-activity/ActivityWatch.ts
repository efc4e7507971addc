import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { chainOf, type EvmChainId } from "../../foundation/chains/index.ts"
import { Finality } from "../../operations/executions/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityRecords } from "./ActivityRecords.ts"
import { ActivitySettings } from "./ActivitySettings.ts"
import { ActivityStore, type WatchedChain } from "./ActivityStore.ts"
import { backfillWallets } from "./backfillWallets.ts"
import type { ReadError } from "./ChainActivity.ts"
import { chainPolls } from "./chainPolls.ts"
import { IDLE_MS, makeWatchCycle } from "./watchCycle.ts"

/**
 * Maximum number of wallets for which logs are filtered by address. With more wallets, logs are filtered only by event.
 */
const MAX_FILTERED_WALLETS = 300
/** Maximum number of detected transfers that a step checks, and maximum number of concurrent checks. */
const RECORDED_PER_BATCH = 200
const CONCURRENCY = 8
/** Maximum interval between two polls of a chain, even if its block time is longer. */
const MAX_POLL_MS = 4_000

const logFailure = (chainId: EvmChainId, action: string) =>
  Effect.catch((error: ReadError) =>
    Effect.as(Effect.logWarning(`${action} on ${chainOf(chainId).name} failed`, { reason: error.message }), null)
  )

/**
 * Runs a step of the chain watcher: reads new blocks, records detected transfers, and reads the earlier blocks of new
 * wallets.
 */
const watchStep = Effect.gen(function* () {
  const store = yield* ActivityStore
  const records = yield* ActivityRecords
  const finality = yield* Finality
  const { begin, goOn } = yield* chainPolls
  const backfill = yield* backfillWallets

  const pollMs = (chainId: EvmChainId) => Math.min(MAX_POLL_MS, finality(chainId).pollEveryMs)

  /** Returns the wallets by whose addresses logs are filtered. Null if there are too many. */
  const readFilterWallets = Effect.map(store.listAddresses(MAX_FILTERED_WALLETS + 1), (addresses) =>
    addresses.length > MAX_FILTERED_WALLETS ? null : addresses
  )

  const recordDueTransfers = Effect.fnUntraced(function* (chainId: EvmChainId) {
    const dueTransfers = yield* store.listDue(chainId, yield* DateTime.now, RECORDED_PER_BATCH)
    const groups = Map.groupBy(dueTransfers, ({ detectedTransfer }) => detectedTransfer.transactionHash)
    yield* Effect.forEach(groups.values(), records.record, { concurrency: CONCURRENCY, discard: true })
  })

  const closeFinalTransfers = Effect.fnUntraced(function* (chainId: EvmChainId, { last }: WatchProgress) {
    const finalTransfers = yield* store.listUntil(chainId, last.number - finality(chainId).blocks, RECORDED_PER_BATCH)
    yield* Effect.forEach(finalTransfers, records.completeOrRecheck, { discard: true })
  })

  /** Returns the milliseconds until the next step. */
  return Effect.fnUntraced(function* (claimedChain: WatchedChain<EvmChainId>): Effect.fn.Return<number, ReadError> {
    const { chainId } = claimedChain
    const wallets = yield* readFilterWallets
    if (wallets?.length === 0) return IDLE_MS
    const progressBefore = claimedChain.progress ?? (yield* begin(chainId))
    const progress = yield* goOn(claimedChain, progressBefore, wallets)
    yield* recordDueTransfers(chainId).pipe(logFailure(chainId, "recording transactions"))
    yield* closeFinalTransfers(chainId, progress).pipe(
      logFailure(chainId, "ending the monitoring of final transactions")
    )
    if (progress.last.number < progress.headNumber) return 0
    const isBackfilling = yield* backfill(claimedChain, progress).pipe(
      logFailure(chainId, "reading earlier transactions")
    )
    if (isBackfilling === true) return 0
    const nextDue = yield* store.nextDueAt(chainId)
    if (nextDue === null) return pollMs(chainId)
    const untilDueMs = DateTime.toEpochMillis(nextDue) - (yield* Clock.currentTimeMillis)
    return Math.max(0, Math.min(pollMs(chainId), untilDueMs))
  })
})

/** Detects transfers of registered wallets on their chains in steps, and records them. */
export class ActivityWatch extends Context.Service<
  ActivityWatch,
  {
    /** Runs a step for the chain that is the longest overdue. Returns false if none is due. */
    readonly watchDue: Effect.Effect<boolean>
  }
>()("@countersign/core/chain-activity/ActivityWatch") {
  static readonly layer = ({ chainIds }: { readonly chainIds: () => ReadonlyArray<EvmChainId> }) =>
    Layer.effect(
      ActivityWatch,
      Effect.gen(function* () {
        const { isOn } = yield* ActivitySettings
        const watchDue = yield* makeWatchCycle({
          chainIds: () => (isOn ? chainIds() : []),
          nameOf: (chainId) => chainOf(chainId).name,
          step: yield* watchStep
        })
        return ActivityWatch.of({ watchDue: Effect.withSpan(watchDue, "ActivityWatch.watchDue") })
      })
    )
}
