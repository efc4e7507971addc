import { type Context, Metric } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const counterOf = (name: string, description: string) =>
  metricByLabels(Metric.counter(name, { description, incremental: true }), "outcome")

const fiat = counterOf("fiat_callbacks_total", "Number of callbacks from fiat providers, by outcome")
const identity = counterOf("identity_callbacks_total", "Number of callbacks from the identity provider, by outcome")

export const countCallback = (subject: "fiat" | "identity", outcome: string, context: Context.Context<never>): void =>
  (subject === "fiat" ? fiat : identity)(outcome).updateUnsafe(1, context)
