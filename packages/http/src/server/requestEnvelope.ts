import { randomUUID } from "node:crypto"
import type { RateLimitState } from "@countersign/core/metering"
import { Cause, Context, Effect, References, type Types } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, responseFromCause } from "./fallbackErrors.ts"
import { observeRequest } from "./metrics.ts"
import { newRequestInfo, RequestInfo, requestInfo } from "./RequestInfo.ts"
import { type RequestDeadlines, requestDeadlines } from "./requestDeadlines.ts"

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
const rateLimitHeaders = (state: RateLimitState) => ({
  "ratelimit-policy": `"key";q=${state.requests};w=${state.windowSeconds}`,
  ratelimit: `"key";r=${state.remaining};t=${state.resetSeconds}`
})

const withHeaders = (response: HttpServerResponse.HttpServerResponse, info: RequestInfo) => {
  const headers: Record<string, string> = { "x-request-id": info.traceId }
  if (info.computeUnits > 0) headers["x-compute-units"] = String(info.computeUnits)
  if (info.rateLimit !== null) Object.assign(headers, rateLimitHeaders(info.rateLimit))
  if (info.retryAfterSeconds !== null) headers["retry-after"] = String(info.retryAfterSeconds)
  if (info.replayed) headers["idempotent-replayed"] = "true"
  if (info.deprecated) headers.deprecation = DEPRECATED_SINCE
  return HttpServerResponse.setHeaders(response, headers)
}

/** Asked by whoever decides whether this process lives: never refused for being busy. */
const isVital = (url: string): boolean => url === "/healthz" || url === "/readyz" || url === "/metrics"

const OVERLOADED_RETRY_SECONDS = 1

const overloaded = (message: string, info: RequestInfo) => {
  info.retryAfterSeconds = OVERLOADED_RETRY_SECONDS
  return errorResponse("OVERLOADED", message, info.traceId)
}

const CROWDED = "More requests are being answered than this process takes at once. Try again in a second."

const late = (timeoutMs: number) => `No answer was ready within ${timeoutMs} ms. Try again later.`

type HttpEffect = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>

const enveloped = (deadlines: RequestDeadlines, options: EnvelopeOptions) => (httpEffect: HttpEffect) =>
  Effect.withFiber((fiber): HttpEffect => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const given = request.headers["x-request-id"]
    const info = newRequestInfo(given !== undefined && acceptableRequestId.test(given) ? given : randomUUID())

    const answered = (response: HttpServerResponse.HttpServerResponse, ms: number): HttpEffect => {
      // 415 is the one plain-text answer that the framework gives.
      const shaped =
        response.status === 415
          ? errorResponse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.", info.traceId)
          : response
      observeRequest(request.method, info.route, shaped.status, ms / 1000, fiber.context)
      const line = {
        method: request.method,
        route: info.route,
        status: shaped.status,
        ms: Math.round(ms * 1000) / 1000,
        projectId: info.projectId
      }
      return Effect.as(Effect.logInfo("request", line), withHeaders(shaped, info))
    }

    const failed = (cause: Cause.Cause<Types.unhandled>): HttpEffect => {
      const { isLate, ms } = deadlines.end(fiber)
      if (isLate) return answered(overloaded(late(options.requestTimeoutMs), info), ms)
      // The client went away, or we are shutting down: there is nobody to answer.
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      const answer = responseFromCause(cause, request, info.traceId, options.maxBodyBytes)
      return answer.status >= 500
        ? Effect.andThen(Effect.logError("request failed unexpectedly", cause), answered(answer, ms))
        : answered(answer, ms)
    }

    deadlines.begin(fiber)
    const isAdmitted = deadlines.count() <= options.parallelRequestsMax || isVital(request.url)
    const logAnnotations = { ...fiber.getRef(References.CurrentLogAnnotations), requestId: info.traceId }
    return (isAdmitted ? httpEffect : Effect.succeed(overloaded(CROWDED, info))).pipe(
      Effect.matchCauseEffect({
        onSuccess: (response) => answered(response, deadlines.end(fiber).ms),
        onFailure: failed
      }),
      Effect.updateContext((context: Context.Context<never>) =>
        context.pipe(Context.add(RequestInfo, info), Context.add(References.CurrentLogAnnotations, logAnnotations))
      )
    )
  })

/** Around every request: an id, a time limit, an error body whatever happens, one line in the log. */
export const layerEnvelope = (options: EnvelopeOptions) =>
  HttpRouter.middleware(
    Effect.map(requestDeadlines(options.requestTimeoutMs), (deadlines) => enveloped(deadlines, options)),
    { global: true }
  )

/** After the route is matched its pattern is known: the log names the pattern, never a path with somebody's address. */
export const layerRoutePattern = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    requestInfo().route = Context.getUnsafe(fiber.context, HttpRouter.RouteContext).route.path
    return httpEffect
  })
).layer
