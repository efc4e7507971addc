import { randomUUID } from "node:crypto"
import type { AnyEndpoint } from "@countersign/adapters/endpoints"
import { Waits } from "@countersign/adapters/waits"
import { Cause, Context, Effect, type Fiber, References, type Types } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerHeaders } from "./answerHeaders.ts"
import { errorResponse, notFound, overloaded, responseFromCause } from "./fallbackErrors.ts"
import { countUnpaidRefusal, observeRequest } from "./metrics.ts"
import { newRequestInfo, RequestInfo, requestInfo } from "./RequestInfo.ts"
import { type RequestDeadlines, requestDeadlines } from "./requestDeadlines.ts"
import { hasOneSpelling, pathOf } from "./requestPath.ts"
import { type MethodsOf, servedMethods } from "./servedMethods.ts"

export interface EnvelopeOptions {
  readonly maxBodyBytes: number
  readonly requestTimeoutMs: number
  /** Requests that are answered at the same time; every further one is refused at once. */
  readonly parallelRequestsMax: number
  /** Whether the service has a page for people. */
  readonly hasAppPage: boolean
}

interface Envelope extends EnvelopeOptions {
  readonly methodsOf: MethodsOf
}

type HttpEffect = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>

/** A request while it is answered. */
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

/** The system that decides whether this process lives asks for these: they are never refused as overload. */
const isVital = (url: string): boolean => url === "/healthz" || url === "/readyz" || url === "/metrics"

const isAdmitted = ({ request }: Exchange, deadlines: RequestDeadlines, { parallelRequestsMax }: EnvelopeOptions) =>
  deadlines.count() <= parallelRequestsMax || isVital(request.url)

const refuseAsOverload = ({ info }: Exchange): HttpEffect =>
  Effect.succeed(overloaded("This process answers too many requests at once. Try again in a second.", info))

const route = ({ info, request }: Exchange, httpEffect: HttpEffect): HttpEffect => {
  const path = pathOf(request.url)
  return hasOneSpelling(path) ? httpEffect : Effect.sync(() => notFound(path, info.traceId))
}

const isOurs = ({ body }: HttpServerResponse.HttpServerResponse): boolean =>
  "contentType" in body && body.contentType === "application/json"

/** Measures and logs the answer, and adds its headers. */
const finish = (
  { fiber, info, request }: Exchange,
  response: HttpServerResponse.HttpServerResponse,
  ms: number
): HttpEffect => {
  // 415 is the one answer in plain text that the framework gives.
  const answer =
    response.status === 415 && !isOurs(response)
      ? errorResponse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.", info.traceId)
      : response
  observeRequest(request.method, info.route, answer.status, ms / 1000, fiber.context)
  if (info.unpaidScope !== null) countUnpaidRefusal(info.unpaidScope, fiber.context)
  const line = {
    method: request.method,
    route: info.route,
    status: answer.status,
    ms: Math.round(ms * 1000) / 1000,
    projectId: info.projectId
  }
  return Effect.as(Effect.logInfo("request", line), HttpServerResponse.setHeaders(answer, answerHeaders(info, ms)))
}

const answerFailure = (
  exchange: Exchange,
  cause: Cause.Cause<Types.unhandled>,
  { isLate, ms }: ReturnType<RequestDeadlines["end"]>,
  { requestTimeoutMs, ...envelope }: Envelope
): HttpEffect => {
  const { info, request } = exchange
  if (isLate) {
    return finish(exchange, overloaded(`No answer was ready within ${requestTimeoutMs} ms. Try again later.`, info), ms)
  }
  // The client closed the connection, or the process shuts down: no answer is needed.
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const answer = responseFromCause(cause, request, info, envelope)
  return answer.status >= 500
    ? Effect.andThen(Effect.logError("request failed unexpectedly", cause), finish(exchange, answer, ms))
    : finish(exchange, answer, ms)
}

/** Gives the handlers what is known of the request, and its id to every line that they log. */
const withRequestInfo = ({ fiber, info }: Exchange, httpEffect: HttpEffect): HttpEffect => {
  const logAnnotations = { ...fiber.getRef(References.CurrentLogAnnotations), requestId: info.traceId }
  return Effect.updateContext(httpEffect, (context: Context.Context<never>) =>
    context.pipe(
      Context.add(RequestInfo, info),
      Context.add(Waits, info.waits),
      Context.add(References.CurrentLogAnnotations, logAnnotations)
    )
  )
}

const withEnvelope = (deadlines: RequestDeadlines, options: Envelope) => (httpEffect: HttpEffect) =>
  Effect.withFiber((fiber): HttpEffect => {
    const exchange = exchangeOf(fiber)
    deadlines.begin(fiber)
    const answer = isAdmitted(exchange, deadlines, options) ? route(exchange, httpEffect) : refuseAsOverload(exchange)
    const finishedAnswer = Effect.matchCauseEffect(answer, {
      onSuccess: (response) => finish(exchange, response, deadlines.end(fiber).ms),
      onFailure: (cause) => answerFailure(exchange, cause, deadlines.end(fiber), options)
    })
    return withRequestInfo(exchange, finishedAnswer)
  })

/** Around every request: an id, a time limit, an error body for every failure, one line in the log. */
export const layerEnvelope = (options: EnvelopeOptions, served: ReadonlyArray<AnyEndpoint>) =>
  HttpRouter.middleware(
    Effect.map(requestDeadlines(options.requestTimeoutMs), (deadlines) =>
      withEnvelope(deadlines, { ...options, methodsOf: servedMethods(served, options.hasAppPage) })
    ),
    { global: true }
  )

/** Notes the pattern of the matched route for the log, which must not hold a path with a person's address. */
export const layerRoutePattern = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    requestInfo().route = Context.getUnsafe(fiber.context, HttpRouter.RouteContext).route.path
    return httpEffect
  })
).layer
