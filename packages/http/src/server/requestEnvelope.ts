import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Waits } from "@countersign/adapters/outbound/waits"
import { toIncomingMessage } from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Context, Effect, type Fiber, References, type Types } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { arrivesByRate, KEYLESS_RATE, limitBodyRate } from "./bodyRate.ts"
import {
  errorResponse,
  notFoundResponse,
  overloadedResponse,
  PROCESS_IS_FULL,
  responseFromCause
} from "./fallbackErrors.ts"
import { countUnpaidRefusal, observeRequest } from "./metrics.ts"
import { newRequestInfo, RequestInfo } from "./RequestInfo.ts"
import { RequestSlots } from "./RequestSlots.ts"
import { RouteTable } from "./RouteTable.ts"
import { type RequestDeadlines, requestDeadlines } from "./requestDeadlines.ts"
import { isCanonicalPath, pathOf } from "./requestPath.ts"
import { responseHeaders } from "./responseHeaders.ts"

export interface EnvelopeOptions {
  readonly maxBodyBytes: number
  readonly requestTimeoutMs: number
}

interface Envelope extends EnvelopeOptions {
  readonly routes: RouteTable["Service"]
  readonly slots: RequestSlots["Service"]
  readonly deadlines: RequestDeadlines
}

type HttpEffect = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>

/** A request and its state. */
interface Exchange {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly info: RequestInfo
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/

const exchangeOf = (fiber: Fiber.Fiber<unknown, unknown>): Exchange => {
  const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
  const clientRequestId = request.headers["x-request-id"]
  const traceId =
    clientRequestId !== undefined && acceptableRequestId.test(clientRequestId) ? clientRequestId : randomUUID()
  return { request, info: newRequestInfo(traceId), fiber }
}

/**
 * Returns whether requests to this path need no slot. These are metrics and health checks; an orchestrator restarts a
 * process that fails its health checks.
 */
const isNeverLimited = (path: string): boolean => path === "/healthz" || path === "/readyz" || path === "/metrics"

/**
 * Limits requests to routes without authentication, except metrics and health checks. Each route has its own slots, so
 * that clients without a key do not block others. ProjectAuth limits the authenticated routes.
 */
const admit = ({ info, request }: Exchange, httpEffect: HttpEffect, { routes, slots }: Envelope): HttpEffect => {
  const path = pathOf(request.url)
  if (!isCanonicalPath(path)) return Effect.sync(() => notFoundResponse(path, info.traceId))
  const route = routes.find(request.method, path)
  // The log contains the route pattern, because a path may contain a wallet address.
  if (route !== undefined) info.route = route.path
  if (route === undefined || route.requiresKey || isNeverLimited(route.path)) return httpEffect
  const message = toIncomingMessage(request) as IncomingMessage
  const slot = slots.keyless(route.path).take(message.socket.remoteAddress ?? "")
  if (slot === "FULL") return Effect.sync(() => overloadedResponse(PROCESS_IS_FULL, info))
  if (slot === "SHARE_USED") return Effect.sync(() => overloadedResponse(TOO_MANY_OF_CLIENT, info))
  info.slot = slot
  limitBodyRate(message, KEYLESS_RATE)
  return httpEffect
}

const TOO_MANY_OF_CLIENT =
  "Too many requests without an API key are in progress from your address. Try again in a second."

const hasJsonBody = ({ body }: HttpServerResponse.HttpServerResponse): boolean =>
  "contentType" in body && body.contentType === "application/json"

/** Measures and logs the response, and adds its headers. */
const finish = (
  { fiber, info, request }: Exchange,
  response: HttpServerResponse.HttpServerResponse,
  ms: number
): HttpEffect => {
  // The response 415 to a body that is not declared as JSON is empty, so an error body replaces it.
  const jsonResponse =
    response.status === 415 && !hasJsonBody(response)
      ? errorResponse(
          "UNSUPPORTED_MEDIA_TYPE",
          "The body is not declared as JSON. Send the header `content-type: application/json`.",
          info.traceId
        )
      : response
  observeRequest(request.method, info.route, jsonResponse.status, ms / 1000, fiber.context)
  if (info.unpaidScope !== null) countUnpaidRefusal(info.unpaidScope, fiber.context)
  const line = {
    method: request.method,
    route: info.route,
    status: jsonResponse.status,
    ms: Math.round(ms * 1000) / 1000,
    projectId: info.projectId
  }
  return Effect.as(
    Effect.logInfo("request", line),
    HttpServerResponse.setHeaders(jsonResponse, responseHeaders(info, ms))
  )
}

const respondWithFailure = (
  exchange: Exchange,
  cause: Cause.Cause<Types.unhandled>,
  { isLate, ms }: ReturnType<RequestDeadlines["end"]>,
  { maxBodyBytes, requestTimeoutMs, routes }: Envelope
): HttpEffect => {
  const { info, request } = exchange
  if (isLate) {
    return finish(
      exchange,
      overloadedResponse(`The response was not ready within ${requestTimeoutMs} ms. Try again later.`, info),
      ms
    )
  }
  // The client closed the connection or the process is shutting down, so no response is needed.
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const response = responseFromCause(cause, request, info, { maxBodyBytes, methodsOf: routes.methodsOf })
  return response.status >= 500
    ? Effect.andThen(Effect.logError("request failed unexpectedly", cause), finish(exchange, response, ms))
    : finish(exchange, response, ms)
}

/** Provides the request data to the handlers, and annotates all log lines with the request's id. */
const provideRequestInfo = ({ fiber, info }: Exchange, httpEffect: HttpEffect): HttpEffect => {
  const logAnnotations = { ...fiber.getRef(References.CurrentLogAnnotations), requestId: info.traceId }
  return Effect.updateContext(httpEffect, (context: Context.Context<never>) =>
    context.pipe(
      Context.add(RequestInfo, info),
      Context.add(Waits, info.waits),
      Context.add(References.CurrentLogAnnotations, logAnnotations)
    )
  )
}

const wrapInEnvelope = (envelope: Envelope) => (httpEffect: HttpEffect) =>
  Effect.withFiber((fiber): HttpEffect => {
    const exchange = exchangeOf(fiber)
    const message = toIncomingMessage(exchange.request) as IncomingMessage
    envelope.deadlines.begin(fiber, () => arrivesByRate(message))
    const end = () => {
      exchange.info.slot?.release()
      return envelope.deadlines.end(fiber)
    }
    const finishedResponse = Effect.matchCauseEffect(admit(exchange, httpEffect, envelope), {
      onSuccess: (response) => finish(exchange, response, end().ms),
      onFailure: (cause) => respondWithFailure(exchange, cause, end(), envelope)
    })
    return provideRequestInfo(exchange, finishedResponse)
  })

/**
 * Wraps every request. Assigns an id, limits requests without a key, applies the timeout, converts failures to error
 * bodies, and logs the response.
 */
export const layerEnvelope = (options: EnvelopeOptions) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const deadlines = yield* requestDeadlines(options.requestTimeoutMs)
      return wrapInEnvelope({ ...options, deadlines, routes: yield* RouteTable, slots: yield* RequestSlots })
    }),
    { global: true }
  )
