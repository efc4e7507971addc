import { type Cause, Context } from "effect"
import { FindMyWay, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { docUrl, ERRORS_PATH, statusOf, type WireErrorId } from "../errors/index.ts"
import { DOCS_PATH, FAVICON_PATH, OPENAPI_PATH } from "./documentPaths.ts"
import type { RequestInfo } from "./RequestInfo.ts"
import { exactPaths, pathOf } from "./requestPath.ts"

/** The error body for every failure that no endpoint declares. */
export const errorResponse = (id: WireErrorId, message: string, traceId: string) =>
  HttpServerResponse.jsonUnsafe(
    { statusCode: statusOf[id], id, message, traceId, doc_url: docUrl(id) },
    { status: statusOf[id] }
  )

const OVERLOADED_RETRY_SECONDS = 1

/** Too much is asked of the process at the moment. */
export const overloaded = (message: string, info: RequestInfo) => {
  info.retryAfterSeconds = OVERLOADED_RETRY_SECONDS
  return errorResponse("OVERLOADED", message, info.traceId)
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

// The router only answers "no match". A second look with each method tells a wrong path from a wrong method.
const routes = FindMyWay.make<string>(exactPaths)
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => routes.on(endpoint.method, endpoint.path as `/${string}`, endpoint.method)
})

const others = [
  "/",
  "/metrics",
  DOCS_PATH,
  OPENAPI_PATH,
  ERRORS_PATH,
  FAVICON_PATH,
  "/logos/chains/:file",
  "/logos/providers/:file",
  "/logos/tokens/:chainId/:file"
] as const
for (const path of others) routes.on("GET", path, "GET")

export const notFound = (path: string, traceId: string) =>
  errorResponse("NOT_FOUND", `There is no ${path} here. GET /docs lists every endpoint.`, traceId)

const noRoute = (request: HttpServerRequest.HttpServerRequest, traceId: string) => {
  const path = pathOf(request.url)
  const allowed = methods.filter((method) => method !== request.method && routes.find(method, path) !== undefined)
  if (allowed.length === 0) return notFound(path, traceId)
  const allow = allowed.join(", ")
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
