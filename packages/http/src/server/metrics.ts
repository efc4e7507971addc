import { RpcHealth } from "@countersign/adapters/evm"
import { UserOperationStore } from "@countersign/core/user-operations"
import { Clock, type Context, DateTime, Effect, Layer, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

const requestSeconds = Metric.histogram("http_server_request_duration_seconds", {
  description: "Time from a request's arrival to its answer",
  boundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

// Labelling a metric allocates: one instance is kept for each method, route and status.
const series = new Map<string, Metric.Metric<number, unknown>>()

export const observeRequest = (
  method: string,
  route: string,
  status: number,
  seconds: number,
  context: Context.Context<never>
): void => {
  const key = `${method} ${route} ${status}`
  const known = series.get(key) ?? Metric.withAttributes(requestSeconds, { method, route, status: String(status) })
  series.set(key, known)
  known.updateUnsafe(seconds, context)
}

const quotes = Metric.counter("swap_quotes_total", {
  description: "Providers asked for a swap quote, by what came of it",
  incremental: true
})

/** Counts what a provider answered: a quote that executes, one that would revert, or none. */
export const countQuote = (provider: string, outcome: "executable" | "reverting" | "refused") =>
  Metric.update(Metric.withAttributes(quotes, { provider, outcome }), 1)

const unsettled = Metric.gauge("user_operations_unsettled", {
  description: "Submitted user operations that are in no block yet"
})
const oldestSeconds = Metric.gauge("user_operations_oldest_unsettled_seconds", {
  description: "Age of the oldest submitted user operation that is in no block yet; 0 when there is none"
})
const residentBytes = Metric.gauge("process_resident_memory_bytes", { description: "Resident memory of the process" })

const hostUp = Metric.gauge("rpc_host_up", {
  description: "1 while a chain's node is used, 0 while it is left alone after failures or answers for another chain"
})
const hostBlock = Metric.gauge("rpc_host_block", { description: "The latest block that a chain's node told of" })

/** How many unsettled operations are counted at most. */
const COUNT_LIMIT = 10_000

/** GET /metrics in the Prometheus text format. What is a state and not an event is looked up when asked for. */
export const layerMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const operations = yield* UserOperationStore
    const health = yield* RpcHealth

    const measureHosts = Effect.flatMap(health.hosts, (hosts) =>
      Effect.forEach(
        hosts,
        ({ blockNumber, chainId, host, state }) => {
          const labels = { chain: String(chainId), host }
          const isUp = state !== "DOWN" && state !== "WRONG_CHAIN"
          const up = Metric.update(Metric.withAttributes(hostUp, labels), isUp ? 1 : 0)
          return blockNumber === null
            ? up
            : Effect.andThen(up, Metric.update(Metric.withAttributes(hostBlock, labels), blockNumber))
        },
        { discard: true }
      )
    )

    const measure = Effect.gen(function* () {
      yield* measureHosts
      const waiting = yield* operations.listUnsettled(COUNT_LIMIT)
      const now = yield* Clock.currentTimeMillis
      const submittedAt = waiting[0]?.submission?.submittedAt
      yield* Metric.update(unsettled, waiting.length)
      yield* Metric.update(
        oldestSeconds,
        submittedAt === undefined ? 0 : (now - DateTime.toEpochMillis(submittedAt)) / 1000
      )
      yield* Metric.update(residentBytes, process.memoryUsage.rss())
    })

    yield* router.add(
      "GET",
      "/metrics",
      measure.pipe(
        Effect.andThen(PrometheusMetrics.format()),
        Effect.map((text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }))
      )
    )
  })
)
