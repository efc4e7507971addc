import { Clock, DateTime, Effect } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import { WorkSignals } from "../../foundation/work/index.ts"
import { ActivitySettings } from "./ActivitySettings.ts"
import { ActivityStore, type StoredActivity } from "./ActivityStore.ts"

/**
 * Milliseconds for which a read is valid if there is no announcement. An announcement of a wallet or a transfer may be
 * lost.
 */
const CACHE_MS = 30_000

/**
 * Minimum `backfillBlocks` for which the list of wallets is cached. It exceeds the number of blocks of any chain in
 * `CACHE_MS`. The backfill therefore includes blocks that were searched while this process did not know the new wallet
 * yet.
 */
const MIN_BACKFILL_BLOCKS = 1_000

/** The result of a read. It is valid until the next announcement, but at most for `CACHE_MS`. */
interface CachedRead<A> {
  readonly value: A
  readonly count: number
  readonly readAtMs: number
}

/** Caches reads of an `ActivityStore`. A read is repeated after an announcement, or after `CACHE_MS`. */
export const cachedActivity = Effect.gen(function* () {
  const store = yield* ActivityStore
  const signals = yield* WorkSignals
  const { backfillBlocks } = yield* ActivitySettings
  const activities = new Map<ChainId, CachedRead<StoredActivity>>()
  const cachedWallets = new Map<number, CachedRead<Effect.Success<ReturnType<typeof store.listAddresses>>>>()
  let generation = 0

  const isCurrent = ({ count, readAtMs }: CachedRead<unknown>, nowMs: number): boolean =>
    count === signals.count("CHAIN_ACTIVITY") && nowMs < readAtMs + CACHE_MS

  const activityOf = Effect.fnUntraced(function* (chainId: ChainId) {
    const nowMs = yield* Clock.currentTimeMillis
    const cachedRead = activities.get(chainId)
    if (cachedRead !== undefined && isCurrent(cachedRead, nowMs)) return cachedRead.value
    const count = signals.count("CHAIN_ACTIVITY")
    const value = yield* store.readActivity(chainId)
    activities.set(chainId, { value, count, readAtMs: nowMs })
    if (value.hasBackfills) {
      // From now on, new blocks must also be searched for the new wallet, so the cached wallets are read again.
      cachedWallets.clear()
      generation += 1
    }
    return value
  })

  const readIf = <A>(
    chainId: ChainId,
    isNeeded: (activity: StoredActivity) => boolean,
    defaultValue: A,
    read: () => Effect.Effect<A>
  ) => Effect.flatMap(activityOf(chainId), (activity) => (isNeeded(activity) ? read() : Effect.succeed(defaultValue)))

  /** Runs a change of a chain's activity, and invalidates the cached reads of the chain. */
  const withInvalidation = <A>(chainId: ChainId, change: Effect.Effect<A>) =>
    Effect.ensuring(
      change,
      Effect.sync(() => activities.delete(chainId))
    )

  return {
    listAddresses: Effect.fnUntraced(function* (limit) {
      if (backfillBlocks < MIN_BACKFILL_BLOCKS) return yield* store.listAddresses(limit)
      const nowMs = yield* Clock.currentTimeMillis
      const cachedRead = cachedWallets.get(limit)
      if (cachedRead !== undefined && isCurrent(cachedRead, nowMs)) return cachedRead.value
      const [count, readGeneration] = [signals.count("CHAIN_ACTIVITY"), generation]
      const value = yield* store.listAddresses(limit)
      if (readGeneration === generation) cachedWallets.set(limit, { value, count, readAtMs: nowMs })
      return value
    }),
    recordDetected: (detectedTransfers, now) =>
      Effect.ensuring(
        store.recordDetected(detectedTransfers, now),
        Effect.sync(() => {
          for (const { chainId } of detectedTransfers) activities.delete(chainId)
        })
      ),
    listDue: (chainId, now, limit) =>
      readIf(
        chainId,
        ({ nextDue }) => nextDue !== null && DateTime.isLessThanOrEqualTo(nextDue, now),
        [],
        () => store.listDue(chainId, now, limit)
      ),
    nextDueAt: (chainId) => Effect.map(activityOf(chainId), ({ nextDue }) => nextDue),
    postpone: (storedTransfer, dueAt) =>
      withInvalidation(storedTransfer.detectedTransfer.chainId, store.postpone(storedTransfer, dueAt)),
    recordDecision: (storedTransfer, state, detectedTransfer) =>
      withInvalidation(detectedTransfer.chainId, store.recordDecision(storedTransfer, state, detectedTransfer)),
    remove: (storedTransfer) => withInvalidation(storedTransfer.detectedTransfer.chainId, store.remove(storedTransfer)),
    listUntil: (chainId, blockNumber, limit) =>
      readIf(
        chainId,
        ({ firstBlock }) => firstBlock !== null && firstBlock <= blockNumber,
        [],
        () => store.listUntil(chainId, blockNumber, limit)
      ),
    listBackfills: (chainId, limit) =>
      readIf(
        chainId,
        ({ hasBackfills }) => hasBackfills,
        [],
        () => store.listBackfills(chainId, limit)
      ),
    moveBackfills: (chainId, backfills, remaining) =>
      withInvalidation(chainId, store.moveBackfills(chainId, backfills, remaining))
  } satisfies Partial<ActivityStore["Service"]>
})
