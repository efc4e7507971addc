import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { type ChainId, ServedChains } from "@countersign/core/foundation/chains"
import { VerificationSessionStore } from "@countersign/core/identity"
import { ExecutionStore, Stages } from "@countersign/core/operations/executions"
import { OperatorTransactionStore } from "@countersign/core/operations/operator"
import { DECAY_MS, UnpaidGasStore } from "@countersign/core/operations/unpaid-gas"
import { WebhookBacklogReader } from "@countersign/core/tenancy/webhooks"
import { PoolIndexStore } from "@countersign/core/trading/pools"
import { ActivitySettings, ActivityStore, lagOf } from "@countersign/core/wallets/chain-activity"
import { DateTime, Effect, Metric } from "effect"
import { sharedWithTimeout } from "../sharedWithTimeout.ts"
import { setChainGauges } from "./chains.ts"
import { pendingGauges } from "./pendingGauges.ts"

const gauges = {
  due: Metric.gauge("webhook_deliveries_due", {
    description: "Number of webhook deliveries whose next attempt is due, including attempts in progress"
  }),
  oldestDue: Metric.gauge("webhook_oldest_due_seconds", {
    description: "Seconds since the oldest due webhook delivery became due; 0 if no delivery is due"
  }),
  poolsIndexed: Metric.gauge("pools_indexed", {
    description: "Number of indexed liquidity pools"
  }),
  poolsIncomplete: Metric.gauge("pools_index_incomplete", {
    description:
      "Number of indexed liquidity pools whose index does not yet reach back to the pool's first block, or one year"
  }),
  poolsUnseen: Metric.gauge("pools_index_unseen_seconds", {
    description:
      "Seconds since the index of a pool last reached the head of its chain: the maximum over the pools that were requested within 10 minutes"
  }),
  reviews: Metric.gauge("verifications_waiting", {
    description: "Number of identity verifications that wait for a reviewer or a provider"
  }),
  oldestReview: Metric.gauge("verifications_oldest_waiting_seconds", {
    description: "Age of the oldest waiting verification in seconds; 0 if no verification waits"
  }),
  failing: Metric.gauge("webhook_endpoints_failing", {
    description: "Number of failing webhook endpoints to which deliveries are retried; 50 means 50 or more"
  }),
  disabled: Metric.gauge("webhook_endpoints_disabled", {
    description: "Number of disabled webhook endpoints; 50 means 50 or more"
  })
} as const satisfies Record<string, Metric.Gauge<number>>

type Readings = Readonly<Partial<Record<keyof typeof gauges, number>>>

const names = Object.keys(gauges) as ReadonlyArray<keyof typeof gauges>

/** Sets the gauges. Removes gauges without a reading, because an old value would look current. */
const setGauges = (readings: Readings) =>
  Effect.forEach(
    names,
    (name) => {
      const reading = readings[name]
      return reading === undefined ? Metric.remove(gauges[name]) : Metric.update(gauges[name], reading)
    },
    { discard: true }
  )

const databaseUp = Metric.gauge("database_up", {
  description:
    "1 if the database responded to this scrape in time. Otherwise 0, and the metrics from the database are missing"
})

/** In milliseconds. The service polls a pool only rarely if the last request for it is older. */
const RECENTLY_REQUESTED_MS = 600_000

/** Maximum time that a scrape waits for the database. */
const DATABASE_TIMEOUT = "1500 millis"

const secondsBetween = (since: DateTime.Utc | null | undefined, now: DateTime.Utc): number =>
  since === null || since === undefined ? 0 : (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1000

/**
 * Measures the gauges that come from the database: pending operations, operator transactions, webhooks, pools,
 * verifications, unpaid gas and the lag of the watchers. Ends within two seconds.
 */
export const backlogMeter = Effect.gen(function* () {
  const store = yield* ExecutionStore
  const setPendingGauges = pendingGauges(yield* Stages)
  const webhooks = yield* WebhookBacklogReader
  const unpaidGas = yield* UnpaidGasStore
  const operatorTransactions = yield* OperatorTransactionStore
  const poolIndex = yield* PoolIndexStore
  const verifications = yield* VerificationSessionStore
  const activity = yield* ActivityStore
  const { isOn } = yield* ActivitySettings
  const bitcoin = yield* BitcoinWatch
  const servedChains = yield* ServedChains

  const readDeliveries = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const { due, oldestDueAt, troubled } = yield* webhooks.read(now)
    const disabledCount = troubled.filter(({ disabledAt }) => disabledAt !== null).length
    const readings: Readings = {
      due,
      oldestDue: secondsBetween(oldestDueAt, now),
      failing: troubled.length - disabledCount,
      disabled: disabledCount
    }
    return readings
  })

  const readPools = (now: DateTime.Utc) =>
    Effect.map(poolIndex.list, (indexedPools): Readings => {
      const recentThreshold = DateTime.subtract(now, { milliseconds: RECENTLY_REQUESTED_MS })
      const headSeenTimes = indexedPools
        .filter(({ askedAt }) => DateTime.isGreaterThan(askedAt, recentThreshold))
        .map(({ askedAt, progress }) => progress?.headSeenAt ?? DateTime.toEpochMillis(askedAt))
      return {
        poolsIndexed: indexedPools.length,
        poolsIncomplete: indexedPools.filter(({ progress }) => progress?.isWhole !== true).length,
        poolsUnseen: Math.max(0, ...headSeenTimes.map((at) => (DateTime.toEpochMillis(now) - at) / 1_000))
      }
    })

  const readReviews = (now: DateTime.Utc) =>
    Effect.map(
      verifications.countPending(null),
      (pendingCounts): Readings => ({
        reviews: pendingCounts.reduce((sum, { count }) => sum + count, 0),
        oldestReview: Math.max(0, ...pendingCounts.map(({ oldestAt }) => secondsBetween(oldestAt, now)))
      })
    )

  /** Returns how far the watcher is behind, for each served and watched chain with progress. */
  const readLags = (now: DateTime.Utc) =>
    Effect.map(activity.listChains, (chains) => {
      const ids: ReadonlyArray<ChainId> = [...(isOn ? servedChains.ids() : []), ...(bitcoin.isOn ? [0 as const] : [])]
      return new Map(
        chains.flatMap(({ chainId, progress }) =>
          progress === null || !ids.includes(chainId)
            ? []
            : [[chainId, lagOf(progress, DateTime.toEpochMillis(now))] as const]
        )
      )
    })

  const readBacklog = Effect.gen(function* () {
    const now = yield* DateTime.now
    const [pending, deliveryReadings, poolReadings, reviewReadings, lags, totals, operatorAccounts] = yield* Effect.all(
      [
        store.countPending(null, now),
        readDeliveries(now),
        readPools(now),
        readReviews(now),
        readLags(now),
        unpaidGas.readTotals(DateTime.subtract(now, { milliseconds: DECAY_MS })),
        operatorTransactions.listWatchedAccounts
      ],
      { concurrency: 7 }
    )
    const readings: Readings = { ...deliveryReadings, ...poolReadings, ...reviewReadings }
    return { now, pending, readings, totals, operatorAccounts, lags }
  })

  const sharedReading = yield* sharedWithTimeout(readBacklog, DATABASE_TIMEOUT)

  return sharedReading.pipe(
    Effect.flatMap(({ lags, operatorAccounts, now, pending, readings, totals }) =>
      Effect.all([
        setGauges(readings),
        setChainGauges({ lags, operatorAccounts, totals }),
        setPendingGauges({ pending, now })
      ])
    ),
    Effect.andThen(Metric.update(databaseUp, 1)),
    Effect.catchCause((cause) =>
      Effect.logWarning("the database did not respond to a scrape of /metrics in time", cause).pipe(
        Effect.andThen(setGauges({})),
        Effect.andThen(setChainGauges(null)),
        Effect.andThen(setPendingGauges(null)),
        Effect.andThen(Metric.update(databaseUp, 0))
      )
    )
  )
})
