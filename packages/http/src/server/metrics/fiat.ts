import { type Context, Metric } from "effect"
import { metricByLabels } from "./labelled.ts"

const callbacks = metricByLabels(
  Metric.counter("fiat_callbacks_total", {
    description: "Messages of providers of bank payments, by what became of them",
    incremental: true
  }),
  "outcome"
)

/** Counts a message of a provider of bank payments. */
export const countFiatCallback = (outcome: string, context: Context.Context<never>): void =>
  callbacks(outcome).updateUnsafe(1, context)
