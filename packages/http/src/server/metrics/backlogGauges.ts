import { Effect, Metric } from "effect"

const gauges = {
  unsettled: Metric.gauge("user_operations_unsettled", {
    description: "Submitted user operations that are in no block yet; 1000 means 1000 or more"
  }),
  oldestUnsettled: Metric.gauge("user_operations_oldest_unsettled_seconds", {
    description: "Age of the oldest submitted user operation that is in no block yet; 0 when there is none"
  }),
  overdue: Metric.gauge("user_operations_overdue", {
    description: "Submitted user operations in no block after their deadline, among the oldest 1000"
  }),
  due: Metric.gauge("webhook_deliveries_due", {
    description: "Webhook deliveries whose next attempt is due, including attempts in progress"
  }),
  oldestDue: Metric.gauge("webhook_oldest_due_seconds", {
    description: "Seconds since the oldest due webhook delivery became due; 0 when none is due"
  }),
  poolsIndexed: Metric.gauge("pools_indexed", {
    description: "Liquidity pools whose events are counted"
  }),
  poolsIncomplete: Metric.gauge("pools_index_incomplete", {
    description: "Those of them that are not counted back to their first block, or for a year, yet"
  }),
  poolsUnseen: Metric.gauge("pools_index_unseen_seconds", {
    description:
      "Longest time since the head of its chain was last seen for a pool that was asked for within 10 minutes"
  }),
  failing: Metric.gauge("webhook_endpoints_failing", {
    description: "Webhook endpoints that failed and are tried again; 50 means 50 or more"
  }),
  disabled: Metric.gauge("webhook_endpoints_disabled", {
    description: "Webhook endpoints that are disabled; 50 means 50 or more"
  })
} as const satisfies Record<string, Metric.Gauge<number>>

export type Readings = Readonly<Partial<Record<keyof typeof gauges, number>>>

const names = Object.keys(gauges) as ReadonlyArray<keyof typeof gauges>

/** Sets the gauges. Removes those without a reading, because an old value would look like a new one. */
export const setGauges = (readings: Readings) =>
  Effect.forEach(
    names,
    (name) => {
      const reading = readings[name]
      return reading === undefined ? Metric.remove(gauges[name]) : Metric.update(gauges[name], reading)
    },
    { discard: true }
  )
