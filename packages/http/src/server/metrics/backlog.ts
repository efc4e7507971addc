import { ExecutionStore, FINALITY, stageOf } from "@countersign/core/executions"
import { DECAY_MS, LossStore } from "@countersign/core/losses"
import { OperatorTransactionStore } from "@countersign/core/operator"
import { PoolIndexStore } from "@countersign/core/pools"
import { WebhookBacklogReader } from "@countersign/core/webhooks"
import { DateTime, Effect, Metric } from "effect"
import { sharedWithin } from "../sharedWithin.ts"
import { type Readings, setGauges } from "./backlogGauges.ts"
import { setLaneGauges } from "./lanes.ts"
import { setLossGauges } from "./losses.ts"

const databaseUp = Metric.gauge("database_up", {
  description:
    "1 when the database answered this scrape in time, otherwise 0, and the metrics that are read from it are missing"
})

/** The count of unsettled operations stops here: the store decodes each of them, and a scrape must be cheap. */
const COUNT_LIMIT = 1_000

/** Pools without a request since are looked at rarely. */
const ASKED_LATELY_MS = 600_000

/** A scrape waits this long for the database. */
const DATABASE_TIMEOUT = "1500 millis"

const secondsBetween = (since: DateTime.Utc | null | undefined, now: DateTime.Utc): number =>
  since === null || since === undefined ? 0 : (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1000

/** Measures what only the database knows: the work that waits, operations, the operator's transactions and webhooks, and unpaid gas. Ends within two seconds. */
export const backlogMeter = Effect.gen(function* () {
  const store = yield* ExecutionStore
  const webhooks = yield* WebhookBacklogReader
  const losses = yield* LossStore
  const operatorTransactions = yield* OperatorTransactionStore
  const poolIndex = yield* PoolIndexStore

  const operations = Effect.fnUntraced(function* (now: DateTime.Utc) {
    const { unsettled } = yield* store.listFollowed(FINALITY, COUNT_LIMIT)
    const deadlines = unsettled.map(({ execution }) => stageOf(execution).deadline)
    const readings: Readings = {
      unsettled: unsettled.length,
      oldestUnsettled: secondsBetween(unsettled[0]?.execution.acceptedAt, now),
      overdue: deadlines.filter((deadline) => deadline !== null && DateTime.isGreaterThan(now, deadline)).length
    }
    return readings
  })

  const deliveries = Effect.fnUntraced(function* (now: DateTime.Utc) {
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

  const pools = (now: DateTime.Utc) =>
    Effect.map(poolIndex.list, (indexed): Readings => {
      const lately = DateTime.subtract(now, { milliseconds: ASKED_LATELY_MS })
      const seen = indexed
        .filter(({ askedAt }) => DateTime.isGreaterThan(askedAt, lately))
        .map(({ askedAt, progress }) => progress?.headSeenAt ?? DateTime.toEpochMillis(askedAt))
      return {
        poolsIndexed: indexed.length,
        poolsIncomplete: indexed.filter(({ progress }) => progress?.isWhole !== true).length,
        poolsUnseen: Math.max(0, ...seen.map((at) => (DateTime.toEpochMillis(now) - at) / 1_000))
      }
    })

  const all = Effect.gen(function* () {
    const now = yield* DateTime.now
    const [ofOperations, ofDeliveries, ofPools, totals, lanes] = yield* Effect.all(
      [
        operations(now),
        deliveries(now),
        pools(now),
        losses.totals(DateTime.subtract(now, { milliseconds: DECAY_MS })),
        operatorTransactions.watchedLanes
      ],
      { concurrency: 5 }
    )
    const readings: Readings = { ...ofOperations, ...ofDeliveries, ...ofPools }
    return { readings, totals, lanes }
  })

  const measured = yield* sharedWithin(all, DATABASE_TIMEOUT)

  return measured.pipe(
    Effect.flatMap(({ lanes, readings, totals }) =>
      Effect.all([setGauges(readings), setLossGauges(totals), setLaneGauges(lanes)], { discard: true })
    ),
    Effect.andThen(Metric.update(databaseUp, 1)),
    Effect.catchCause((cause) =>
      Effect.logWarning("the database did not answer a scrape of /metrics", cause).pipe(
        Effect.andThen(setGauges({})),
        Effect.andThen(setLossGauges(null)),
        Effect.andThen(setLaneGauges(null)),
        Effect.andThen(Metric.update(databaseUp, 0))
      )
    )
  )
})
