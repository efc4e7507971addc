import { Context, Metric } from "effect"
import { JsonRpcError } from "../JsonRpcError.ts"
import { HostFailure } from "./HostFailure.ts"

/**
 * answered: with a result. error: with a JSON-RPC error, as a call that reverts is. limited: it asks us to come back
 * later. failed: it gave no usable answer. rejected: never sent, because the host is left alone or too many wait for it.
 */
export type RequestOutcome = "answered" | "error" | "limited" | "failed" | "rejected"

const outcomes: ReadonlyArray<RequestOutcome> = ["answered", "error", "limited", "failed", "rejected"]

export const outcomeOfThrown = (thrown: unknown): RequestOutcome => {
  if (thrown instanceof JsonRpcError) return "error"
  if (!(thrown instanceof HostFailure)) return "failed"
  switch (thrown.kind) {
    case "LIMITED":
      return "limited"
    case "BUSY":
      return "rejected"
    case "FAILED":
      return "failed"
  }
}

const requests = Metric.counter("rpc_requests_total", {
  description: "JSON-RPC requests to a host, each of a batch by itself, by what came of it",
  incremental: true
})
const seconds = Metric.histogram("rpc_http_request_duration_seconds", {
  description: "Time of the HTTP requests to a host, each of which may carry a batch of JSON-RPC requests",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})
const up = Metric.gauge("rpc_host_up", {
  description: "1 while a host is used, 0 while it is left alone after failures or answers for another chain"
})
const block = Metric.gauge("rpc_host_block", {
  description: "The latest block that a chain's node told of; NaN before the first"
})

/** Connections belong to no fiber: they count in the registry of the process. */
const context = Context.empty()

const nothing = (): void => undefined

const told = (gauge: Metric.Metric<number, Metric.GaugeState<number>>, read: () => number): Metric.Registration =>
  Metric.registerUnsafe(gauge, context, { get: () => ({ value: read() }), update: nothing, modify: nothing })

export type HostLabels = {
  readonly chain: string
  /** Host name and port: the rest of a URL may be a secret. */
  readonly host: string
  readonly service: "node" | "bundler" | "paymaster"
}

/**
 * What is counted and told of one host. Two connections to one host share its series: their counts add up, and its state
 * is what the later of them knows.
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
    // A counter that begins with its first failure does not show that one as a rise.
    for (const outcome of outcomes) this.#count(outcome, 0)
  }

  counted(outcome: RequestOutcome): void {
    this.#count(outcome, 1)
  }

  took(secondsTaken: number): void {
    this.#seconds.updateUnsafe(secondsTaken, context)
  }

  /** From now on whoever asks for the metrics is told these. A host without blocks has none. */
  tell(isUp: () => boolean, blockNumber: (() => number | null) | null): void {
    const states = [told(Metric.withAttributes(up, this.#labels), () => (isUp() ? 1 : 0))]
    if (blockNumber !== null) {
      states.push(told(Metric.withAttributes(block, this.#labels), () => blockNumber() ?? Number.NaN))
    }
    this.#states = states
  }

  /** The host is no longer used: its counts stay, because a counter never falls, and its state is not told any more. */
  retire(): void {
    for (const state of this.#states) state.remove()
  }

  #count(outcome: RequestOutcome, by: number): void {
    this.#requests.get(outcome)?.updateUnsafe(by, context)
  }
}
