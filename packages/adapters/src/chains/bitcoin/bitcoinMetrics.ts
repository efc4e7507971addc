import { type Effect, Metric } from "effect"
import type { HostFailure } from "../evm/index.ts"

export type BitcoinRequestOutcome = "answered" | "limited" | "failed" | "rejected"

const requests = Metric.counter("bitcoin_requests_total", {
  description: "HTTP requests to a host of Bitcoin's chain by outcome; rejected: not sent, because the host is paused",
  incremental: true
})
const up = Metric.gauge("bitcoin_host_up", {
  description: "1 while a host of Bitcoin's chain is asked, 0 while it is paused after failures or as it has asked for"
})
const block = Metric.gauge("bitcoin_host_block", { description: "Height that a host of Bitcoin's chain told last" })

export const countRequest = (host: string, outcome: BitcoinRequestOutcome): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(requests, { host, outcome }), 1)

/** A refusal is an answer. */
export const outcomeOf = (failure: HostFailure | null): BitcoinRequestOutcome => {
  if (failure === null || failure.kind === "TOO_HEAVY") return "answered"
  return failure.kind === "LIMITED" ? "limited" : "failed"
}

export const showUp = (host: string, isUp: boolean): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(up, { host }), isUp ? 1 : 0)

export const showBlock = (host: string, height: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(block, { host }), height)
