import { Context, Metric } from "effect"
import { HostFailure } from "../../../../outbound/json-api/index.ts"
import { JsonRpcError } from "../JsonRpcError.ts"

/**
 * answered: a result. error: a JSON-RPC error, such as that of a reverted call. limited: rejected by the host's rate
 * limit. failed: no usable response. rejected: not sent, because the host is paused or too many requests are queued.
 */
export type RequestOutcome = "answered" | "error" | "limited" | "failed" | "rejected"

const outcomes: ReadonlyArray<RequestOutcome> = ["answered", "error", "limited", "failed", "rejected"]

export const thrownOutcome = (thrown: unknown): RequestOutcome => {
  if (thrown instanceof JsonRpcError) return "error"
  if (!(thrown instanceof HostFailure)) return "failed"
  switch (thrown.kind) {
    case "LIMITED":
      return "limited"
    case "BUSY":
      return "rejected"
    case "FAILED":
    case "TOO_HEAVY":
      return "failed"
  }
}

const requests = Metric.counter("rpc_requests_total", {
  description: "JSON-RPC requests to a host by outcome; each request of a batch is counted",
  incremental: true
})
const seconds = Metric.histogram("rpc_http_request_duration_seconds", {
  description:
    "Duration of HTTP requests to a host, in seconds. One HTTP request may contain a batch of JSON-RPC requests",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})
const upGauge = Metric.gauge("rpc_host_up", {
  description: "1 while a host is used, 0 while it is backed off after failures or serves another chain"
})
const block = Metric.gauge("rpc_host_block", {
  description: "The latest block that a chain's node reported; NaN before its first report"
})

/** A connection runs outside of any fiber, so its metrics use the default registry of the process. */
const context = Context.empty()

const doNothing = (): void => undefined

const registerGauge = (
  gauge: Metric.Metric<number, Metric.GaugeState<number>>,
  read: () => number
): Metric.Registration =>
  Metric.registerUnsafe(gauge, context, { get: () => ({ value: read() }), update: doNothing, modify: doNothing })

export type HostLabels = {
  readonly chain: string
  /** Host name and port. The rest of a URL may be a secret. */
  readonly host: string
  readonly service: "node" | "bundler" | "paymaster"
}

/**
 * The metrics of one host. If two connections use the same host, they share the series: counts are added, and the state
 * is that of the later connection.
 */
export class HostMetrics {
  readonly #labels: HostLabels
  readonly #requests: ReadonlyMap<RequestOutcome, Metric.Metric<number, unknown>>
  readonly #seconds: Metric.Metric<number, unknown>
  #states: ReadonlyArray<Metric.Registration> = []

  constructor(labels: HostLabels) {
    this.#labels = labels
    this.#seconds = Metric.withAttributes(seconds, labels)
    this.#requests = new Map(
      outcomes.map((outcome) => [outcome, Metric.withAttributes(requests, { ...labels, outcome })])
    )
    // Each counter starts at 0, so that the first failure appears as an increase.
    for (const outcome of outcomes) this.#add(outcome, 0)
  }

  count(outcome: RequestOutcome): void {
    this.#add(outcome, 1)
  }

  observeSeconds(secondsTaken: number): void {
    this.#seconds.updateUnsafe(secondsTaken, context)
  }

  /** Adds the host's state to the metrics. `blockNumber` is null for a host without block numbers. */
  publish(isUp: () => boolean, blockNumber: (() => number | null) | null): void {
    const states = [registerGauge(Metric.withAttributes(upGauge, this.#labels), () => (isUp() ? 1 : 0))]
    if (blockNumber !== null) {
      states.push(registerGauge(Metric.withAttributes(block, this.#labels), () => blockNumber() ?? Number.NaN))
    }
    this.#states = states
  }

  /** Removes the host's state from the metrics. The counts stay, because a counter must never decrease. */
  retire(): void {
    for (const state of this.#states) state.remove()
  }

  #add(outcome: RequestOutcome, by: number): void {
    this.#requests.get(outcome)?.updateUnsafe(by, context)
  }
}
