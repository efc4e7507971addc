import { createHash, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { errorResponse } from "./fallbackErrors.ts"
import { backlogMeter } from "./metrics/backlog.ts"
import { processMeter } from "./metrics/process.ts"

import { requestInfo } from "./RequestInfo.ts"

export { countedSwaps } from "./metrics/quotes.ts"
export { observeRequest } from "./metrics/requests.ts"
export { countUnpaidRefusal } from "./metrics/unpaidGas.ts"

/** The token that /metrics requires (METRICS_TOKEN); null if the metrics are public. */
export const MetricsToken = Context.Reference<Redacted.Redacted<string> | null>("@countersign/http/MetricsToken", {
  defaultValue: () => null
})

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Compares two texts in constant time. */
const isSameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const tokenMissingResponse = () =>
  HttpServerResponse.setHeader(
    errorResponse(
      "INVALID_API_KEY",
      "To read the metrics, send the header `Authorization: Bearer` with the value of METRICS_TOKEN.",
      requestInfo().traceId
    ),
    "www-authenticate",
    "Bearer"
  )

/**
 * Serves GET /metrics in the Prometheus text format. Counters are updated when events occur; gauges are measured at
 * each scrape. Responds within two seconds, even if the database does not respond.
 */
export const layerMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const measureBacklog = yield* backlogMeter
    const measureProcess = yield* processMeter
    const token = yield* MetricsToken
    const isPublic = token === null
    const isAuthorized = (authorization = "") =>
      token !== null && isSameText(authorization, `Bearer ${Redacted.value(token)}`)
    const metrics = measureBacklog.pipe(
      Effect.andThen(measureProcess),
      Effect.andThen(PrometheusMetrics.format()),
      Effect.map((text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }))
    )
    yield* router.add("GET", "/metrics", (request) =>
      isPublic || isAuthorized(request.headers.authorization) ? metrics : Effect.sync(tokenMissingResponse)
    )
  })
)
