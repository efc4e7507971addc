import { Clock, DateTime, Effect, Layer, Option } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import { WorkSignals } from "../../foundation/work/index.ts"
import type { WatchProgress } from "./Activity.ts"
import { ActivityStore, type WatchedChain } from "./ActivityStore.ts"
import { cachedActivity } from "./knownActivity.ts"

/** Milliseconds for which a process keeps a chain before other processes can claim it. */
const HOLD_MS = 60_000
/** Duration of the claim between two steps. After a process dies, its chains wait for this time. */
const LEASE_MS = 30_000
/** A claim with less remaining time is extended. */
const MIN_LEASE_MS = 10_000
/** Milliseconds without further claims after a claim found no chain, unless there is a signal. */
const EMPTY_CLAIM_PAUSE_MS = 10_000
/** A chain that this process has claimed, also between its steps. */
interface HeldChain {
  readonly version: number
  readonly sinceMs: number
  progress: WatchProgress | null
  /** Whether the progress in memory is not stored yet. */
  isAhead: boolean
  /**
   * Whether the step has written to the store. The chain is then released after the step, because the write may be
   * rolled back.
   */
  hasStored: boolean
  isBusy: boolean
  dueMs: number
  leaseUntilMs: number
}

/** Returns the state of a chain that this process has just claimed. */
const claimedHeldChain = ({ progress, version }: WatchedChain, nowMs: number, leaseUntilMs: number): HeldChain => ({
  version,
  progress,
  sinceMs: nowMs,
  isAhead: false,
  hasStored: false,
  isBusy: true,
  dueMs: 0,
  leaseUntilMs
})

/** Returns the chain that is the longest overdue, among the given chains that this process holds. */
const nextDueChain = <C extends ChainId>(
  heldChains: ReadonlyMap<ChainId, HeldChain>,
  chainIds: ReadonlyArray<C>,
  nowMs: number
): WatchedChain<C> | null => {
  const dueChains = chainIds.flatMap((chainId) => {
    const chain = heldChains.get(chainId)
    return chain === undefined || chain.isBusy || chain.dueMs > nowMs ? [] : [{ chainId, chain }]
  })
  const [first] = dueChains.toSorted((a, b) => a.chain.dueMs - b.chain.dueMs)
  if (first === undefined) return null
  const { chain, chainId } = first
  chain.isBusy = true
  chain.hasStored = false
  return { chainId, progress: chain.progress, version: chain.version }
}

/**
 * Avoids reads and writes for blocks without registered wallets. A process keeps a chain for many steps, with its
 * progress in memory, and stores the progress only when it extends its claim. If a process dies, only progress over
 * such blocks is lost, and the next process reads them again. Data of wallets and transfers are stored immediately, as
 * without this layer.
 */
export const layerHeldChains = Layer.effect(
  ActivityStore,
  Effect.gen(function* () {
    const innerStore = yield* ActivityStore
    const store = { ...innerStore, ...(yield* cachedActivity) }
    const signals = yield* WorkSignals
    const heldChains = new Map<ChainId, HeldChain>()
    /** Epoch milliseconds of the last claim without a result, by list of chains. Absent if a chain may be due again. */
    const lastEmptyClaimMs = new Map<string, number>()

    const heldChainOf = ({ chainId, version }: WatchedChain): HeldChain | undefined => {
      const chain = heldChains.get(chainId)
      return chain?.version === version ? chain : undefined
    }

    const release = Effect.fnUntraced(function* (claimedChain: WatchedChain, chain: HeldChain, dueAt: DateTime.Utc) {
      heldChains.delete(claimedChain.chainId)
      if (chain.isAhead && chain.progress !== null) yield* store.storeProgress(claimedChain, chain.progress)
      yield* store.release(claimedChain, dueAt)
    })

    /**
     * Keeps the chain for the next step. Extends a claim that ends soon, and shortens a claim that is longer than
     * `LEASE_MS`.
     */
    const keep = Effect.fnUntraced(function* (
      claimedChain: WatchedChain,
      chain: HeldChain,
      dueMs: number,
      nowMs: number
    ) {
      const remainingMs = chain.leaseUntilMs - nowMs
      if (remainingMs < MIN_LEASE_MS || remainingMs > LEASE_MS) {
        const leaseUntil = DateTime.makeUnsafe(nowMs + LEASE_MS)
        const isHeld = yield* store.moveClaim(claimedChain, leaseUntil, chain.isAhead ? chain.progress : null)
        if (!isHeld) return void heldChains.delete(claimedChain.chainId)
        chain.isAhead = false
        chain.leaseUntilMs = nowMs + LEASE_MS
      }
      chain.dueMs = dueMs
      chain.isBusy = false
    })

    const claimStored = Effect.fnUntraced(function* <C extends ChainId>(
      chainIds: ReadonlyArray<C>,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) {
      const caller = chainIds.join()
      const nowMs = DateTime.toEpochMillis(now)
      if (yield* signals.take("CHAINS")) lastEmptyClaimMs.clear()
      if (nowMs < (lastEmptyClaimMs.get(caller) ?? Number.NEGATIVE_INFINITY) + EMPTY_CLAIM_PAUSE_MS)
        return Option.none<WatchedChain<C>>()
      const claim = yield* store.claim(chainIds, now, until)
      if (Option.isNone(claim)) lastEmptyClaimMs.set(caller, nowMs)
      else {
        heldChains.set(claim.value.chainId, claimedHeldChain(claim.value, nowMs, DateTime.toEpochMillis(until)))
      }
      return claim
    })

    yield* Effect.addFinalizer(() =>
      Effect.flatMap(DateTime.now, (now) =>
        Effect.forEach(
          [...heldChains],
          ([chainId, chain]) =>
            release({ chainId, progress: chain.progress, version: chain.version }, chain, now).pipe(
              Effect.catchCause((cause) => Effect.logWarning("a watched chain could not be released", cause))
            ),
          { discard: true }
        )
      )
    )

    return ActivityStore.of({
      ...store,
      claim: (chainIds, now, until) => {
        const nowMs = DateTime.toEpochMillis(now)
        for (const [chainId, { isBusy, leaseUntilMs }] of heldChains) {
          // After a long suspension of this process, another one may have claimed the chain.
          if (isBusy || leaseUntilMs > nowMs) continue
          heldChains.delete(chainId)
          lastEmptyClaimMs.clear()
        }
        const next = nextDueChain(heldChains, chainIds, nowMs)
        return next === null ? claimStored(chainIds, now, until) : Effect.succeed(Option.some(next))
      },
      storeProgress: (claimedChain, progress) => {
        const chain = heldChainOf(claimedChain)
        if (chain !== undefined) chain.hasStored = true
        return store.storeProgress(claimedChain, progress)
      },
      advanceWithoutSync: Effect.fnUntraced(function* (claimedChain, progress) {
        const chain = heldChainOf(claimedChain)
        if (chain === undefined) return yield* store.advanceWithoutSync(claimedChain, progress)
        if (chain.progress === null || chain.hasStored) {
          chain.hasStored = true
          return yield* store.advanceWithoutSync(claimedChain, progress)
        }
        chain.progress = progress
        chain.isAhead = true
        return true
      }),
      moveClaim: (claimedChain, until, progress) =>
        Effect.tap(store.moveClaim(claimedChain, until, progress), (isHeld) =>
          Effect.sync(() => {
            const chain = heldChainOf(claimedChain)
            if (chain !== undefined && isHeld) chain.leaseUntilMs = DateTime.toEpochMillis(until)
          })
        ),
      release: Effect.fnUntraced(function* (claimedChain, dueAt) {
        const chain = heldChainOf(claimedChain)
        if (chain === undefined) return yield* store.release(claimedChain, dueAt)
        const nowMs = yield* Clock.currentTimeMillis
        if (chain.hasStored || nowMs >= chain.sinceMs + HOLD_MS) return yield* release(claimedChain, chain, dueAt)
        yield* keep(claimedChain, chain, DateTime.toEpochMillis(dueAt), nowMs)
      })
    })
  })
)
