import { Metric } from "effect"
import { labelled } from "./labelled.ts"

const seriesOf = labelled(
  Metric.counter("swap_quotes_total", {
    description: "Providers asked for a swap quote, by what came of it",
    incremental: true
  }),
  "provider",
  "outcome"
)

/** Counts what a provider answered: a quote that executes, one that would revert, or none. */
export const countQuote = (provider: string, outcome: "executable" | "reverting" | "refused") =>
  Metric.update(seriesOf(provider, outcome), 1)
