import { Effect, Metric } from "effect"

const gauges = {
  unsettled: Metric.gauge("user_operations_unsettled", {
    description: "Submitted user operations that are in no block yet; 1000 stands for that many or more"
  }),
  oldestUnsettled: Metric.gauge("user_operations_oldest_unsettled_seconds", {
    description: "Age of the oldest submitted user operation that is in no block yet; 0 when there is none"
  }),
  overdue: Metric.gauge("user_operations_overdue", {
    description: "Submitted user operations that are in no block, and past their deadline; of the oldest 1000 at most"
  }),
  due: Metric.gauge("webhook_deliveries_due", {
    description: "Webhook deliveries whose next attempt is due, those that are underway among them"
  }),
  oldestDue: Metric.gauge("webhook_oldest_due_seconds", {
    description: "For how long the oldest of the due webhook deliveries is due; 0 when none is"
  }),
  failing: Metric.gauge("webhook_endpoints_failing", {
    description: "Webhook endpoints that failed and are tried again; 50 stands for that many or more"
  }),
  disabled: Metric.gauge("webhook_endpoints_disabled", {
    description: "Webhook endpoints that are disabled; 50 stands for that many or more"
  })
} as const satisfies Record<string, Metric.Gauge<number>>

export type Readings = Readonly<Partial<Record<keyof typeof gauges, number>>>

const names = Object.keys(gauges) as ReadonlyArray<keyof typeof gauges>

/** Sets the gauges. What is not known is left out: a number of earlier would look like one of now. */
export const tell = (readings: Readings) =>
  Effect.forEach(
    names,
    (name) => {
      const reading = readings[name]
      return reading === undefined ? Metric.remove(gauges[name]) : Metric.update(gauges[name], reading)
    },
    { discard: true }
  )
