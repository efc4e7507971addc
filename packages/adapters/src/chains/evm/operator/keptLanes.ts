import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import { WorkSignals } from "@countersign/core/foundation/work"
import {
  type Lane,
  type LaneAction,
  laneActions,
  type OperatorTransaction,
  OperatorTransactionStore,
  type WatchedLane
} from "@countersign/core/operations/operator"
import { Clock, DateTime, Effect } from "effect"
import { RpcClients } from "../RpcClients.ts"
import { lookAtLane, type SeenBlock } from "./lookAtLane.ts"
import type { OperatorLane } from "./OperatorLane.ts"
import { reconcileLane } from "./reconcileLane.ts"

/** The shortest and the longest time between two reads of the operator accounts with watched transactions. */
const SHORTEST_READ_MS = 100
const LONGEST_READ_MS = 2_000
/** Between two looks at a lane whose transactions are on their way: half of a block's time, within these. */
const SHORTEST_MS = 250
const LONGEST_MS = 2_000
/** The same where all are in blocks: a block's time, within these. */
const SHORTEST_SETTLING_MS = 1_000
const LONGEST_SETTLING_MS = 8_000
/** A watcher that has not come back after so long is taken for dead. Longer than any wait between two looks. */
const LEASE_SECONDS = 10
/** Operations that a lane asks about again, at most. Those that it drops are asked about once their transactions settle. */
const UNCOUNTED_MAX = 64
/** How long a transaction is kept once it is no longer watched. */
const KEPT_DAYS = 7

const within = (value: number, from: number, to: number): number => Math.max(from, Math.min(to, value))

const pauseMs = ({ lane, waiting }: WatchedLane): number => {
  const { blockTimeMs } = chainOf(lane.chainId)
  return waiting > 0
    ? within(blockTimeMs / 2, SHORTEST_MS, LONGEST_MS)
    : within(blockTimeMs, SHORTEST_SETTLING_MS, LONGEST_SETTLING_MS)
}

/** The memory of this process of a lane between two looks. */
interface Watch {
  /** When the last look began. */
  lookedAtMs: number
  isBusy: boolean
  seen: SeenBlock | null
  /** Operations of reverted transactions of which it is not sure yet what they have cost. */
  uncounted: ReadonlyArray<Hash32>
}

export const laneKeyOf = ({ chainId, operator }: Lane): string => `${chainId}:${operator}`

const isReverted = (transaction: OperatorTransaction | null): boolean => transaction?.state === "REVERTED"

/** The operations of transactions that turned out reverted, or not reverted after all, and of those settled as such. */
const revertedOperations = (actions: ReadonlyArray<LaneAction>): ReadonlyArray<Hash32> => {
  const touched = actions.filter((action) => {
    if (action._tag === "Record") return isReverted(action.before) !== isReverted(action.after)
    return isReverted(action.before)
  })
  return [...new Set(touched.flatMap(({ before }) => before?.operations ?? []))]
}

/**
 * How the lanes of this process are kept. Its watches end with the scope. `countReverts` is told of operations whose
 * transactions reverted, or did not after all: until it is sure, and again when such a transaction is not watched any
 * longer, so that none is missed by a process that ends in between.
 */
export const keptLanes = Effect.fnUntraced(function* (
  holder: string,
  lanes: ReadonlyMap<string, OperatorLane>,
  countReverts: (chainId: EvmChainId, operation: Hash32) => Effect.Effect<boolean, UpstreamUnavailable>
) {
  const rpc = yield* RpcClients
  const store = yield* OperatorTransactionStore
  const signals = yield* WorkSignals
  const scope = yield* Effect.scope
  const watches = new Map<string, Watch>()
  const changedOperations = new Set<Hash32>()

  const watchOf = (lane: Lane): Watch => {
    const key = laneKeyOf(lane)
    const watch = watches.get(key) ?? { lookedAtMs: 0, isBusy: false, seen: null, uncounted: [] }
    watches.set(key, watch)
    return watch
  }

  yield* Effect.addFinalizer(() =>
    Effect.forEach(
      lanes.values(),
      ({ lane }) => (watches.has(laneKeyOf(lane)) ? store.release(lane, "WATCH", holder) : Effect.void),
      {
        discard: true
      }
    )
  )

  /** A missing answer of a node must not stop the care of a lane: the next look asks again. */
  const isCounted = (chainId: EvmChainId, operation: Hash32) =>
    countReverts(chainId, operation).pipe(
      Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
        Effect.as(
          Effect.logWarning("a reverted transaction is not counted yet", { operation, reason: error.message }),
          false
        )
      )
    )

  /** One look at a lane, and what it calls for. */
  const keep = Effect.fnUntraced(function* (operatorLane: OperatorLane, watch: Watch) {
    const { lane } = operatorLane
    const { finalityBlocks } = chainOf(lane.chainId)
    const now = yield* DateTime.now
    const nowMs = DateTime.toEpochMillis(now)
    watch.lookedAtMs = nowMs
    const until = DateTime.add(now, { seconds: LEASE_SECONDS })
    if (!(yield* store.claim(lane, "WATCH", { holder, now, until }))) {
      // Another process watches now. What this one saw is old by the time that it is its turn again.
      watch.seen = null
      return
    }
    const rows = yield* store.watched(lane)
    const { seen, sightings, view } = yield* rpc.call(lane.chainId, (client) =>
      lookAtLane(client, lane.operator, rows, watch.seen, nowMs)
    )
    const actions = laneActions(rows, view, sightings, finalityBlocks)
    const settled = actions.filter((action) => action._tag === "Settle")
    const corrections = actions.filter((action) => action._tag !== "Settle")
    if (corrections.length > 0) yield* reconcileLane(rpc, store, operatorLane, corrections, view.head)
    const changed = corrections.flatMap((action) => (action._tag === "Record" ? action.after.operations : []))
    // The receivers of the news look at the head of this look, or at a later one.
    if (changed.length > 0) yield* rpc.call(lane.chainId, () => rpc.latestBlock(lane.chainId, 0))
    for (const operation of changed) changedOperations.add(operation)
    const toCount = new Set([...watch.uncounted, ...revertedOperations(actions)])
    const unclear = yield* Effect.filter(toCount, (hash) => Effect.map(isCounted(lane.chainId, hash), (is) => !is))
    watch.uncounted = unclear.slice(-UNCOUNTED_MAX)
    if (settled.length > 0) {
      yield* store.settle(settled.map(({ before }) => before))
      yield* store.forget(lane, DateTime.subtract(now, { days: KEPT_DAYS }))
    }
    watch.seen = seen
  })

  const survivingKeep = (lane: OperatorLane, watch: Watch) =>
    keep(lane, watch).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning(`maintaining the operator's transactions on ${chainOf(lane.lane.chainId).name} failed`, cause)
      ),
      Effect.ensuring(
        Effect.sync(() => {
          watch.isBusy = false
        })
      )
    )

  const keepDue = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const ours = (yield* store.watchedLanes).flatMap((watched) => {
      const lane = lanes.get(laneKeyOf(watched.lane))
      return lane === undefined ? [] : [{ lane, watched, watch: watchOf(watched.lane) }]
    })
    if (ours.length === 0) return null
    let nextMs = LONGEST_READ_MS
    for (const { lane, watch, watched } of ours) {
      const dueInMs = watch.lookedAtMs + pauseMs(watched) - nowMs
      const isDue = !watch.isBusy && dueInMs <= 0
      nextMs = Math.min(nextMs, watch.isBusy || isDue ? pauseMs(watched) : dueInMs)
      if (!isDue) continue
      watch.isBusy = true
      // In the background: a chain that does not answer keeps none of the others waiting.
      yield* Effect.forkIn(survivingKeep(lane, watch), scope)
    }
    return Math.max(SHORTEST_READ_MS, nextMs)
  })

  /** A block that has a transaction of the operator account may be orphaned: the account is checked next. */
  const doubt = (lane: Lane) =>
    Effect.suspend(() => {
      watchOf(lane).lookedAtMs = 0
      return signals.announce("OPERATOR_TRANSACTIONS", 0)
    })

  const news = Effect.sync(() => {
    const operations = [...changedOperations]
    changedOperations.clear()
    return operations
  })

  return { keepDue, doubt, news }
})
