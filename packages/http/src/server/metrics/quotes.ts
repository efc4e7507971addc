import { Metric } from "effect"
import { metricByLabels } from "./labelled.ts"

const seriesOf = metricByLabels(
  Metric.counter("swap_quotes_total", {
    description: "Swap quotes asked of providers, by outcome",
    incremental: true
  }),
  "provider",
  "outcome"
)

/** Counts the answer of a provider: a quote that executes, a quote that would revert, or a refusal. */
export const countQuote = (provider: string, outcome: "executable" | "reverting" | "refused") =>
  Metric.update(seriesOf(provider, outcome), 1)
