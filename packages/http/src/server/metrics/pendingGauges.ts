import type { PendingStage, StageDescription } from "@countersign/core/operations/executions"
import { DateTime, Effect, Metric } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const gauge = (name: string, description: string) =>
  metricByLabels(Metric.gauge(name, { description }), "kind", "waits_for")

const gauges = {
  count: gauge(
    "countersign_pending",
    "Number of operations that have not ended, by stage and by the party that they wait for"
  ),
  late: gauge(
    "countersign_pending_late",
    "Number of operations that have waited in their stage for longer than normal"
  ),
  oldest: gauge(
    "countersign_pending_oldest_seconds",
    "Seconds since the oldest pending operation was accepted; 0 if no operation is pending"
  )
}

type Labels = Pick<PendingStage, "stage" | "waitsFor">

/**
 * Returns a function that sets the gauges of each known stage, and of each other stage that has had pending operations.
 * A stage without pending operations gets zeros. If the readings are null, it removes all gauges, because an old value
 * would look current.
 */
export const pendingGauges = (stages: ReadonlyArray<StageDescription>) => {
  const labels = new Map<string, Labels>()
  const remember = ({ stage, waitsFor }: Labels) => labels.set(`${stage} ${waitsFor}`, { stage, waitsFor })
  for (const { name, waitsFor } of stages) remember({ stage: name, waitsFor })
  return (readings: { readonly pending: ReadonlyArray<PendingStage>; readonly now: DateTime.Utc } | null) => {
    for (const reading of readings?.pending ?? []) remember(reading)
    return Effect.forEach(
      [...labels.values()].flatMap(({ stage, waitsFor }) => {
        const metrics = [gauges.count, gauges.late, gauges.oldest].map((metric) => metric(stage, waitsFor))
        if (readings === null) return metrics.map((metric) => Metric.remove(metric))
        const reading = readings.pending.find((each) => each.stage === stage && each.waitsFor === waitsFor)
        const values =
          reading === undefined
            ? [0, 0, 0]
            : [
                reading.count,
                reading.lateCount,
                (DateTime.toEpochMillis(readings.now) - DateTime.toEpochMillis(reading.oldestAcceptedAt)) / 1_000
              ]
        return metrics.map((metric, i) => Metric.update(metric, values[i]!))
      }),
      (update) => update,
      { discard: true }
    )
  }
}
