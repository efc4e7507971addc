import type { Cause } from "effect"
import { type HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { docUrl, type WireErrorId, wireErrors } from "../errors/index.ts"
import type { RequestInfo } from "./RequestInfo.ts"
import type { RouteTable } from "./RouteTable.ts"
import { pathOf } from "./requestPath.ts"

/** Builds the response to a failure that the endpoint does not declare. */
export const errorResponse = (id: WireErrorId, message: string, traceId: string) =>
  HttpServerResponse.jsonUnsafe(
    { statusCode: wireErrors[id].status, id, message, traceId, doc_url: docUrl(id) },
    { status: wireErrors[id].status }
  )

const OVERLOADED_RETRY_SECONDS = 1

export const PROCESS_IS_FULL = "This process has too many requests in progress. Try again in a second."

/** Builds an `OVERLOADED` response with the `Retry-After` header. The request can be repeated. */
export const overloadedResponse = (
  message: string,
  info: RequestInfo,
  retryAfterSeconds = OVERLOADED_RETRY_SECONDS
) => {
  info.retryAfterSeconds = retryAfterSeconds
  return errorResponse("OVERLOADED", message, info.traceId)
}

export const notFoundResponse = (path: string, traceId: string) =>
  errorResponse("NOT_FOUND", `There is no endpoint ${path}. GET /docs lists every endpoint.`, traceId)

const noRouteResponse = (
  request: HttpServerRequest.HttpServerRequest,
  traceId: string,
  methodsOf: RouteTable["Service"]["methodsOf"]
) => {
  const path = pathOf(request.url)
  const allowedMethods = methodsOf(path).filter((method) => method !== request.method)
  if (allowedMethods.length === 0) return notFoundResponse(path, traceId)
  const allow = allowedMethods.join(", ")
  return HttpServerResponse.setHeader(
    errorResponse("METHOD_NOT_ALLOWED", `${path} supports ${allow}, not ${request.method}.`, traceId),
    "allow",
    allow
  )
}

const isHttpServerError = (error: unknown): error is HttpServerError.HttpServerError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "HttpServerError"

/** Builds the response to an undeclared failure. The body does not contain the cause. */
export const responseFromCause = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  info: RequestInfo,
  { maxBodyBytes, methodsOf }: { readonly maxBodyBytes: number; readonly methodsOf: RouteTable["Service"]["methodsOf"] }
): HttpServerResponse.HttpServerResponse => {
  const { traceId } = info
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (HttpServerResponse.isHttpServerResponse(error)) return error
    // No database connection was free in time, another transaction held a lock too long, or the connection was lost. A
    // retry can succeed.
    if (SqlError.isSqlError(error) && error.isRetryable) {
      return overloadedResponse("The database is busy or can't be reached. Try again in a second.", info)
    }
    if (isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return noRouteResponse(request, traceId, methodsOf)
      if (error.reason._tag === "RequestParseError") {
        return error.reason.reason === "BodyTooLarge"
          ? errorResponse("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, traceId)
          : errorResponse("BAD_REQUEST", "The body could not be read.", traceId)
      }
    }
  }
  return errorResponse(
    "INTERNAL_SERVER_ERROR",
    `The service has an internal error. Send the trace id ${traceId} to the operator.`,
    traceId
  )
}
