import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { backlogMeter } from "./metrics/backlog.ts"
import { processMeter } from "./metrics/process.ts"

export { countUnpaidRefusal } from "./metrics/losses.ts"
export { countQuote } from "./metrics/quotes.ts"
export { observeRequest } from "./metrics/requests.ts"

/**
 * GET /metrics in the Prometheus text format. Events are counted when they happen, states are measured for each scrape.
 * Answers within two seconds, even when the database does not answer.
 */
export const layerMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const measureBacklog = yield* backlogMeter
    const measureProcess = yield* processMeter
    yield* router.add(
      "GET",
      "/metrics",
      measureBacklog.pipe(
        Effect.andThen(measureProcess),
        Effect.andThen(PrometheusMetrics.format()),
        Effect.map((text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }))
      )
    )
  })
)
