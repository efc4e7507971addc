import { randomUUID } from "node:crypto"
import type { RateLimitState } from "@countersign/core/projects"
import { Cause, Clock, Context, Effect, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, responseFromCause } from "./fallbackErrors.ts"
import { observeRequest } from "./metrics.ts"
import { newRequestInfo, RequestInfo, requestInfo } from "./RequestInfo.ts"

export interface EnvelopeOptions {
  readonly maxBodyBytes: number
  readonly requestTimeoutMs: number
  /** Requests that are answered at the same time; what comes beyond them is refused at once. */
  readonly parallelRequestsMax: number
}

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/

/** chainInId and chainOutId gave way to `chains` on this day (RFC 9745 wants unix seconds after an @). */
const DEPRECATED_SINCE = "@1767225600"

/** The draft of the IETF's RateLimit fields (draft-ietf-httpapi-ratelimit-headers). */
const rateLimitHeaders = (state: RateLimitState): ReadonlyArray<readonly [string, string]> => [
  ["ratelimit-policy", `"key";q=${state.requests};w=${state.windowSeconds}`],
  ["ratelimit", `"key";r=${state.remaining};t=${state.resetSeconds}`]
]

const withHeaders = (response: HttpServerResponse.HttpServerResponse, info: RequestInfo) => {
  const headers: ReadonlyArray<readonly [string, string]> = [
    ["x-request-id", info.traceId],
    ...(info.computeUnits > 0 ? [["x-compute-units", String(info.computeUnits)] as const] : []),
    ...(info.rateLimit === null ? [] : rateLimitHeaders(info.rateLimit)),
    ...(info.retryAfterSeconds === null ? [] : [["retry-after", String(info.retryAfterSeconds)] as const]),
    ...(info.replayed ? [["idempotent-replayed", "true"] as const] : []),
    ...(info.deprecated ? [["deprecation", DEPRECATED_SINCE] as const] : [])
  ]
  return headers.reduce((shaped, [name, value]) => HttpServerResponse.setHeader(shaped, name, value), response)
}

/** Asked by whoever decides whether this process lives: never refused for being busy. */
const isVital = (url: string): boolean => url === "/healthz" || url === "/readyz" || url === "/metrics"

const overloaded = (traceId: string) =>
  errorResponse(
    "OVERLOADED",
    "More requests are being answered than this process takes at once. Try again in a second.",
    traceId
  )

/** Around every request: an id, a time limit, an error body whatever happens, one line in the log. */
export const layerEnvelope = ({ maxBodyBytes, parallelRequestsMax, requestTimeoutMs }: EnvelopeOptions) => {
  let running = 0
  return HttpRouter.middleware(
    (httpEffect) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const given = request.headers["x-request-id"]
        const traceId = given !== undefined && acceptableRequestId.test(given) ? given : randomUUID()
        const info = newRequestInfo(traceId)
        running += 1
        return Effect.gen(function* () {
          const startedAt = yield* Clock.currentTimeNanos
          const admitted = running <= parallelRequestsMax || isVital(request.url)
          if (!admitted) info.retryAfterSeconds = 1
          const response = yield* (admitted ? httpEffect : Effect.succeed(overloaded(traceId))).pipe(
            Effect.timeoutOrElse({
              duration: requestTimeoutMs,
              orElse: () =>
                Effect.succeed(
                  errorResponse(
                    "OVERLOADED",
                    `No answer was ready within ${requestTimeoutMs} ms. Try again later.`,
                    traceId
                  )
                )
            }),
            Effect.catchCause((cause) => {
              // The client went away, or we are shutting down: there is nobody to answer.
              if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
              const answer = responseFromCause(cause, request, traceId, maxBodyBytes)
              return answer.status >= 500
                ? Effect.as(Effect.logError("request failed unexpectedly", cause), answer)
                : Effect.succeed(answer)
            })
          )
          // 415 is the one plain-text answer that the framework gives.
          const shaped =
            response.status === 415
              ? errorResponse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.", traceId)
              : response
          const ms = Number((yield* Clock.currentTimeNanos) - startedAt) / 1e6
          observeRequest(request.method, info.route, shaped.status, ms / 1000, fiber.context)
          yield* Effect.logInfo("request", {
            method: request.method,
            route: info.route,
            status: shaped.status,
            ms: Math.round(ms * 1000) / 1000,
            projectId: info.projectId
          })
          return withHeaders(shaped, info)
        }).pipe(
          Effect.onExit(() =>
            Effect.sync(() => {
              running -= 1
            })
          ),
          Effect.provideService(RequestInfo, info),
          Effect.provideService(References.CurrentLogAnnotations, {
            ...fiber.getRef(References.CurrentLogAnnotations),
            requestId: traceId
          })
        )
      }),
    { global: true }
  )
}

/** After the route is matched its pattern is known: the log names the pattern, never a path with somebody's address. */
export const layerRoutePattern = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    requestInfo().route = Context.getUnsafe(fiber.context, HttpRouter.RouteContext).route.path
    return httpEffect
  })
).layer
