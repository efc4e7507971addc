import { type Cause, Context } from "effect"
import { FindMyWay, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { statusOf, type WireErrorId } from "../errors/index.ts"

/** The error body for every failure that no endpoint declares. */
export const errorResponse = (id: WireErrorId, message: string, traceId: string) =>
  HttpServerResponse.jsonUnsafe({ statusCode: statusOf[id], id, message, traceId }, { status: statusOf[id] })

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

// The router only answers "no match". A second search with each method shows whether the path or the method is wrong.
const routes = FindMyWay.make<string>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => routes.on(endpoint.method, endpoint.path as `/${string}`, endpoint.method)
})

for (const path of ["/metrics", "/docs", "/openapi.json"] as const) routes.on("GET", path, "GET")

const noRoute = (request: HttpServerRequest.HttpServerRequest, traceId: string) => {
  const path = request.url.split("?")[0] ?? "/"
  const allowedMethods = methods.filter(
    (method) => method !== request.method && routes.find(method, path) !== undefined
  )
  if (allowedMethods.length === 0) {
    return errorResponse("NOT_FOUND", `There is no ${path} here. GET /docs lists every endpoint.`, traceId)
  }
  const allow = allowedMethods.join(", ")
  return HttpServerResponse.setHeader(
    errorResponse("METHOD_NOT_ALLOWED", `${path} takes ${allow}, not ${request.method}.`, traceId),
    "allow",
    allow
  )
}

const isHttpServerError = (error: unknown): error is HttpServerError.HttpServerError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "HttpServerError"

/** The answer to a failed request. It shows nothing of the cause. */
export const responseFromCause = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  traceId: string,
  maxBodyBytes: number
): HttpServerResponse.HttpServerResponse => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (HttpServerResponse.isHttpServerResponse(error)) return error
    if (isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return noRoute(request, traceId)
      if (error.reason._tag === "RequestParseError") {
        return error.reason.reason === "BodyTooLarge"
          ? errorResponse("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, traceId)
          : errorResponse("BAD_REQUEST", "The body could not be read.", traceId)
      }
    }
  }
  return errorResponse(
    "INTERNAL_SERVER_ERROR",
    `Something went wrong on our side. Give the operator the trace id ${traceId}.`,
    traceId
  )
}

export const currentRequest = (context: Context.Context<never>) =>
  Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
