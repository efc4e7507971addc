import { randomUUID } from "node:crypto"
import { Cause, Clock, Context, Effect, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, responseFromCause } from "./fallbackErrors.ts"
import { RequestInfo, requestInfo } from "./RequestInfo.ts"

export interface EnvelopeOptions {
  readonly maxBodyBytes: number
  readonly requestTimeoutMs: number
}

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/

/** chainInId and chainOutId gave way to `chains` on this day (RFC 9745 wants unix seconds after an @). */
const DEPRECATED_SINCE = "@1767225600"

const withHeaders = (response: HttpServerResponse.HttpServerResponse, info: RequestInfo) => {
  let shaped = HttpServerResponse.setHeader(response, "x-request-id", info.traceId)
  if (info.computeUnits > 0) {
    shaped = HttpServerResponse.setHeader(shaped, "x-compute-units", String(info.computeUnits))
  }
  return info.deprecated ? HttpServerResponse.setHeader(shaped, "deprecation", DEPRECATED_SINCE) : shaped
}

/** Around every request: an id, a time limit, an error body whatever happens, one line in the log. */
export const layerEnvelope = ({ maxBodyBytes, requestTimeoutMs }: EnvelopeOptions) =>
  HttpRouter.middleware(
    (httpEffect) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const given = request.headers["x-request-id"]
        const traceId = given !== undefined && acceptableRequestId.test(given) ? given : randomUUID()
        const info: RequestInfo = { traceId, route: "-", projectId: null, computeUnits: 0, deprecated: false }
        return Effect.gen(function* () {
          const startedAt = yield* Clock.currentTimeNanos
          const response = yield* httpEffect.pipe(
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
          yield* Effect.logInfo("request", {
            method: request.method,
            route: info.route,
            status: shaped.status,
            ms: Math.round(ms * 1000) / 1000,
            projectId: info.projectId
          })
          return withHeaders(shaped, info)
        }).pipe(
          Effect.provideService(RequestInfo, info),
          Effect.provideService(References.CurrentLogAnnotations, {
            ...fiber.getRef(References.CurrentLogAnnotations),
            requestId: traceId
          })
        )
      }),
    { global: true }
  )

/** After the route is matched its pattern is known: the log names the pattern, never a path with somebody's address. */
export const layerRoutePattern = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    requestInfo().route = Context.getUnsafe(fiber.context, HttpRouter.RouteContext).route.path
    return httpEffect
  })
).layer
