import { type Effect, Metric } from "effect"

const refusedPrices = Metric.counter("market_data_prices_refused_total", {
  description: "Prices of a source that were rejected, because they are far from other known prices",
  incremental: true
})

export const countRefused = (source: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(refusedPrices, { source }), 1)
