import { type Effect, Metric } from "effect"

export type MarketRequestOutcome = "answered" | "limited" | "failed" | "rejected"

const requests = Metric.counter("market_data_requests_total", {
  description: "HTTP requests to a source of prices by outcome; rejected: not sent, because the source is paused",
  incremental: true
})
const up = Metric.gauge("market_data_source_up", {
  description: "1 while a source of prices is asked, 0 while it is paused after failures or as it has asked for"
})
const refused = Metric.counter("market_data_prices_refused_total", {
  description: "Prices of a source that were not used, because they are far from what is known otherwise",
  incremental: true
})

export const countRequest = (source: string, outcome: MarketRequestOutcome): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(requests, { source, outcome }), 1)

export const showUp = (source: string, isUp: boolean): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(up, { source }), isUp ? 1 : 0)

export const countRefused = (source: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(refused, { source }), 1)
