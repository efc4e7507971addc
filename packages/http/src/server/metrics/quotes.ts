import { Swaps } from "@countersign/core/trading/swap"
import { Effect, Metric } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const seriesOf = metricByLabels(
  Metric.counter("swap_quotes_total", {
    description: "Number of quotes requested from swap providers, by provider and outcome",
    incremental: true
  }),
  "provider",
  "outcome"
)

const latencyOf = metricByLabels(
  Metric.histogram("swap_provider_duration_seconds", {
    description: "Seconds until a provider's quote or rejection",
    boundaries: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  }),
  "provider"
)

/** Counts the outcome of a provider: an executable quote, a quote that would revert, or a rejection. */
const countQuote = (provider: string, outcome: "executable" | "reverting" | "refused", latencyMs: number) =>
  Effect.andThen(Metric.update(seriesOf(provider, outcome), 1), Metric.update(latencyOf(provider), latencyMs / 1_000))

/** Wraps the swap service with metrics of each provider's outcome. */
export const countedSwaps = Effect.map(Swaps, (swaps) =>
  Swaps.of({
    ...swaps,
    quote: (project, request) =>
      swaps.quote(project, request).pipe(
        Effect.tap(({ candidates }) =>
          Effect.forEach(candidates, ({ amountOut, latencyMs, provider, refusal }) =>
            countQuote(
              provider,
              amountOut === null ? "refused" : refusal === null ? "executable" : "reverting",
              latencyMs
            )
          )
        ),
        Effect.tapErrorTag("SWAP_QUOTE", ({ refusals = [] }) =>
          Effect.forEach(refusals, ({ latencyMs, provider }) => countQuote(provider, "refused", latencyMs))
        )
      )
  })
)
