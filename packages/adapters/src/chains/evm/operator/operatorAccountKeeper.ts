import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import { WorkSignals } from "@countersign/core/foundation/work"
import {
  type OperatorAccount,
  type OperatorAccountAction,
  type OperatorTransaction,
  OperatorTransactionStore,
  operatorAccountActions,
  type WatchedOperatorAccount
} from "@countersign/core/operations/operator"
import { Clock, DateTime, Effect } from "effect"
import { RpcClients } from "../RpcClients.ts"
import type { ClaimedOperatorAccount } from "./ClaimedOperatorAccount.ts"
import { checkOperatorAccount, type SeenBlock } from "./checkOperatorAccount.ts"
import { reconcileOperatorAccount } from "./reconcileOperatorAccount.ts"

/**
 * Bounds, in milliseconds, of the interval between two reads of the list of operator accounts with watched
 * transactions.
 */
const MIN_READ_MS = 100
const MAX_READ_MS = 2_000
/**
 * Bounds, in milliseconds, of the interval between two checks of an operator account with pending transactions. The
 * interval is half a block time.
 */
const MIN_MS = 250
const MAX_MS = 2_000
/** Bounds, in milliseconds, of the interval if all transactions are included. The interval is one block time. */
const MIN_SETTLING_MS = 1_000
const MAX_SETTLING_MS = 8_000
/**
 * Lease time in seconds. A watcher that does not renew its lease within this time is treated as dead. It is longer than
 * any interval between two checks.
 */
const LEASE_SECONDS = 10
/**
 * Maximum number of operations whose costs are computed again at each check. The costs of others are computed once
 * their transactions are final.
 */
const UNCOUNTED_MAX = 64
/** Number of days for which a transaction is stored after it is no longer watched. */
const RETENTION_DAYS = 7

const clamp = (value: number, from: number, to: number): number => Math.max(from, Math.min(to, value))

const pauseMs = ({ operatorAccount, waiting }: WatchedOperatorAccount): number => {
  const { blockTimeMs } = chainOf(operatorAccount.chainId)
  return waiting > 0 ? clamp(blockTimeMs / 2, MIN_MS, MAX_MS) : clamp(blockTimeMs, MIN_SETTLING_MS, MAX_SETTLING_MS)
}

/** The data about an operator account that this process keeps between two checks. */
interface Watch {
  /** Time when the last check started. */
  checkedAtMs: number
  isBusy: boolean
  seenBlock: SeenBlock | null
  /** Operations of reverted transactions whose cost is not certain yet. */
  uncountedOperations: ReadonlyArray<Hash32>
}

export const operatorAccountKeyOf = ({ chainId, operator }: OperatorAccount): string => `${chainId}:${operator}`

const isReverted = (transaction: OperatorTransaction | null): boolean => transaction?.state === "REVERTED"

/** Returns the operations of transactions that are now reverted, no longer reverted, or reverted and final. */
const revertedOperations = (actions: ReadonlyArray<OperatorAccountAction>): ReadonlyArray<Hash32> => {
  const changedActions = actions.filter((action) => {
    if (action._tag === "Record") return isReverted(action.before) !== isReverted(action.after)
    return isReverted(action.before)
  })
  return [...new Set(changedActions.flatMap(({ before }) => before?.operations ?? []))]
}

/**
 * Watches the operator accounts of this process until the scope closes. When a transaction reverts, or is no longer
 * reverted, calls `countReverts` with its operations until it returns true. Calls it again when a reverted transaction
 * is final, so that no cost is missed if the process stops in between.
 */
export const operatorAccountKeeper = Effect.fnUntraced(function* (
  holder: string,
  operatorAccounts: ReadonlyMap<string, ClaimedOperatorAccount>,
  countReverts: (chainId: EvmChainId, operation: Hash32) => Effect.Effect<boolean, UpstreamUnavailable>
) {
  const rpc = yield* RpcClients
  const store = yield* OperatorTransactionStore
  const signals = yield* WorkSignals
  const scope = yield* Effect.scope
  const watches = new Map<string, Watch>()
  const changedOperations = new Set<Hash32>()

  const watchOf = (operatorAccount: OperatorAccount): Watch => {
    const key = operatorAccountKeyOf(operatorAccount)
    const watch = watches.get(key) ?? { checkedAtMs: 0, isBusy: false, seenBlock: null, uncountedOperations: [] }
    watches.set(key, watch)
    return watch
  }

  yield* Effect.addFinalizer(() =>
    Effect.forEach(
      operatorAccounts.values(),
      ({ id: operatorAccount }) =>
        watches.has(operatorAccountKeyOf(operatorAccount))
          ? store.release(operatorAccount, "WATCH", holder)
          : Effect.void,
      {
        discard: true
      }
    )
  )

  /** If a node does not respond, the next check retries. */
  const countCost = (chainId: EvmChainId, operation: Hash32) =>
    countReverts(chainId, operation).pipe(
      Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
        Effect.as(
          Effect.logWarning("the cost of a reverted transaction could not be counted yet", {
            operation,
            reason: error.message
          }),
          false
        )
      )
    )

  /** Checks an operator account once, and performs the actions that the check requires. */
  const maintainAccount = Effect.fnUntraced(function* (claimedOperatorAccount: ClaimedOperatorAccount, watch: Watch) {
    const { id: operatorAccount } = claimedOperatorAccount
    const { finalityBlocks } = chainOf(operatorAccount.chainId)
    const now = yield* DateTime.now
    const nowMs = DateTime.toEpochMillis(now)
    watch.checkedAtMs = nowMs
    const claimedUntil = DateTime.add(now, { seconds: LEASE_SECONDS })
    if (!(yield* store.claim(operatorAccount, "WATCH", { holder, now, until: claimedUntil }))) {
      // Another process now watches the account. If this process watches again later, it must not use outdated state.
      watch.seenBlock = null
      return
    }
    const rows = yield* store.listTracked(operatorAccount)
    const { seenBlock, nodeReports, view } = yield* rpc.call(operatorAccount.chainId, (client) =>
      checkOperatorAccount(client, operatorAccount.operator, rows, watch.seenBlock, nowMs)
    )
    const actions = operatorAccountActions(rows, view, nodeReports, finalityBlocks)
    const settlements = actions.filter((action) => action._tag === "Settle")
    const corrections = actions.filter((action) => action._tag !== "Settle")
    if (corrections.length > 0)
      yield* reconcileOperatorAccount(rpc, store, claimedOperatorAccount, corrections, view.head)
    const recordedOperations = corrections.flatMap((action) =>
      action._tag === "Record" ? action.after.operations : []
    )
    // Receivers of the notification must read the head of this check or a later one.
    if (recordedOperations.length > 0)
      yield* rpc.call(operatorAccount.chainId, () => rpc.latestBlock(operatorAccount.chainId, 0))
    for (const operation of recordedOperations) changedOperations.add(operation)
    const operationsToCount = new Set([...watch.uncountedOperations, ...revertedOperations(actions)])
    const uncountedOperations = yield* Effect.filter(operationsToCount, (hash) =>
      Effect.map(countCost(operatorAccount.chainId, hash), (isCounted) => !isCounted)
    )
    watch.uncountedOperations = uncountedOperations.slice(-UNCOUNTED_MAX)
    if (settlements.length > 0) {
      yield* store.stopTracking(settlements.map(({ before }) => before))
      yield* store.removeBefore(operatorAccount, DateTime.subtract(now, { days: RETENTION_DAYS }))
    }
    watch.seenBlock = seenBlock
  })

  const maintainOrLogFailure = (operatorAccount: ClaimedOperatorAccount, watch: Watch) =>
    maintainAccount(operatorAccount, watch).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning(
          `maintaining the operator's transactions on ${chainOf(operatorAccount.id.chainId).name} failed`,
          cause
        )
      ),
      Effect.ensuring(
        Effect.sync(() => {
          watch.isBusy = false
        })
      )
    )

  const maintainDueAccounts = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const ownAccounts = (yield* store.listWatchedAccounts).flatMap((watched) => {
      const claimedAccount = operatorAccounts.get(operatorAccountKeyOf(watched.operatorAccount))
      return claimedAccount === undefined ? [] : [{ claimedAccount, watched, watch: watchOf(watched.operatorAccount) }]
    })
    if (ownAccounts.length === 0) return null
    let nextMs = MAX_READ_MS
    for (const { claimedAccount, watch, watched } of ownAccounts) {
      const dueInMs = watch.checkedAtMs + pauseMs(watched) - nowMs
      const isDue = !watch.isBusy && dueInMs <= 0
      nextMs = Math.min(nextMs, watch.isBusy || isDue ? pauseMs(watched) : dueInMs)
      if (!isDue) continue
      watch.isBusy = true
      // Runs in the background, so that a chain that does not respond does not delay the others.
      yield* Effect.forkIn(maintainOrLogFailure(claimedAccount, watch), scope)
    }
    return Math.max(MIN_READ_MS, nextMs)
  })

  /** Checks an operator account immediately, because a block with one of its transactions may have been orphaned. */
  const markDoubtful = (operatorAccount: OperatorAccount) =>
    Effect.suspend(() => {
      watchOf(operatorAccount).checkedAtMs = 0
      return signals.announce("OPERATOR_TRANSACTIONS", 0)
    })

  const takeChangedOperations = Effect.sync(() => {
    const operations = [...changedOperations]
    changedOperations.clear()
    return operations
  })

  return { checkDue: maintainDueAccounts, markDoubtful, takeChangedOperations }
})
