import { Clock, DateTime, Effect, Option } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityStore, type WatchedChain } from "./ActivityStore.ts"

/** Duration of the claim on a chain during a step, in seconds. It is longer than the slowest step. */
const LEASE_SECONDS = 180
const STEP_MS = 150_000
/** Delay in milliseconds after a failed step. */
export const RETRY_MS = 5_000
/** If a step runs longer than this number of milliseconds, its claim is extended. */
const QUICK_STEP_MS = 5_000
/** Pause in milliseconds for a chain without wallets, which needs no requests. */
export const IDLE_MS = 2_000

export interface WatchCycle<Id extends ChainId> {
  /** Returns the chains that are currently watched. */
  readonly chainIds: () => ReadonlyArray<Id>
  readonly nameOf: (chainId: Id) => string
  /** Runs a step of a chain. Returns the milliseconds until the next step. */
  readonly step: (claimedChain: WatchedChain<Id>) => Effect.Effect<number, { readonly message: string }>
}

/**
 * Runs a step for the chain that is the longest overdue, for EVM chains or Bitcoin. Returns false if no chain is due.
 */
export const makeWatchCycle = <Id extends ChainId>({ chainIds, nameOf, step }: WatchCycle<Id>) =>
  Effect.map(ActivityStore, (store) => {
    const watchedChains = new Set<Id>()

    const claimDueChain = Effect.gen(function* () {
      const watchedIds = chainIds()
      if (watchedIds.length === 0) return Option.none<WatchedChain<Id>>()
      const now = yield* DateTime.now
      const unwatchedIds = watchedIds.filter((chainId) => !watchedChains.has(chainId))
      if (unwatchedIds.length > 0) yield* store.watchChains(unwatchedIds, now)
      for (const chainId of unwatchedIds) watchedChains.add(chainId)
      return yield* store.claim(watchedIds, now, DateTime.add(now, { seconds: LEASE_SECONDS }))
    })

    const timeoutError = (chainId: Id) =>
      new UpstreamUnavailable({ upstream: `${nameOf(chainId)} RPC node`, reason: `no response within ${STEP_MS} ms` })

    return Effect.gen(function* () {
      const claim = yield* claimDueChain
      if (Option.isNone(claim)) return false
      const claimedChain = claim.value
      const releaseChain = (waitMs: number) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          store.release(claimedChain, DateTime.makeUnsafe(nowMs + waitMs))
        )
      const extendLease = Effect.flatMap(DateTime.now, (now) =>
        store.moveClaim(claimedChain, DateTime.add(now, { seconds: LEASE_SECONDS }), null)
      )
      const keepExtendingLease = Effect.andThen(Effect.sleep(QUICK_STEP_MS), Effect.andThen(extendLease, Effect.never))
      const waitMs = yield* Effect.raceFirst(step(claimedChain), keepExtendingLease).pipe(
        Effect.timeoutOrElse({ duration: STEP_MS, orElse: () => Effect.fail(timeoutError(claimedChain.chainId)) }),
        Effect.catch(({ message }) =>
          Effect.as(Effect.logWarning(`watching ${nameOf(claimedChain.chainId)} failed`, { reason: message }), RETRY_MS)
        ),
        Effect.onError(() => releaseChain(RETRY_MS))
      )
      yield* releaseChain(waitMs)
      return true
    })
  })

/** Stores a step atomically. Returns false if another worker has the claim on the chain. */
export const makeStoreStep = Effect.gen(function* () {
  const store = yield* ActivityStore
  const unitOfWork = yield* UnitOfWork
  return (claimedChain: WatchedChain, progress: WatchProgress, otherWrites?: Effect.Effect<unknown>) =>
    otherWrites === undefined
      ? store.advanceWithoutSync(claimedChain, progress)
      : unitOfWork.run(
          Effect.gen(function* () {
            if (!(yield* store.storeProgress(claimedChain, progress))) return false
            yield* otherWrites
            return true
          })
        )
})
