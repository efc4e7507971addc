import { type Effect, Metric } from "effect"
import type { HostFailure } from "./HostFailure.ts"

type Outcome = "answered" | "limited" | "failed" | "rejected"

const requests = Metric.counter("http_host_requests_total", {
  description: "HTTP requests to a provider's host by outcome; rejected: not sent, because the circuit is open",
  incremental: true
})
const retries = Metric.counter("http_host_retries_total", {
  description: "Retries of HTTP requests to a provider's host; each is also one of its requests",
  incremental: true
})
const upGauge = Metric.gauge("http_host_up", {
  description: "1 while a provider's host is used, 0 while it is backed off after failures or at its own request"
})

/** Returns the outcome for metrics. A rejection of the request counts as `answered`. */
export const outcomeOf = (failure: HostFailure | null): Outcome => {
  if (failure === null || failure.kind === "TOO_HEAVY") return "answered"
  return failure.kind === "LIMITED" ? "limited" : "failed"
}

export const countRequest = (host: string, outcome: Outcome): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(requests, { host, outcome }), 1)

export const countRetry = (host: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(retries, { host }), 1)

export const recordAvailability = (host: string, isUp: boolean): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(upGauge, { host }), isUp ? 1 : 0)
