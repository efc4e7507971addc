import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"

/** Allows pages of other origins to call the service from a browser (CORS). */
export interface CrossOrigin {
  /**
   * Adds the CORS headers before a response is written, so that errors have them too. Errors before the headers are
   * complete have none.
   */
  readonly mark: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Returns the headers of the response to a CORS preflight request from an allowed origin; null for any other request.
   */
  readonly preflightOrNull: (request: IncomingMessage) => OutgoingHttpHeaders | null
}

const PREFLIGHT: OutgoingHttpHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, last-event-id, x-api-key, x-request-id",
  // In seconds. Browsers limit the value to two hours.
  "access-control-max-age": "3600"
}

/** The response headers that pages of other origins may read, in addition to those that CORS always allows. */
const EXPOSED =
  "deprecation, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, server-timing, x-compute-units, x-request-id"

/** Allows only `origins`. A wildcard is not supported, because requests contain API keys. */
export const crossOrigin = (origins: ReadonlyArray<string>): CrossOrigin => {
  const isAllowed = ({ headers: { origin } }: IncomingMessage) => origin !== undefined && origins.includes(origin)
  return {
    mark: (request, response) => {
      if (origins.length === 0) return
      response.setHeader("vary", "origin")
      if (!isAllowed(request)) return
      response.setHeader("access-control-allow-origin", request.headers.origin!)
      response.setHeader("access-control-expose-headers", EXPOSED)
    },
    preflightOrNull: (request) =>
      request.method === "OPTIONS" && "access-control-request-method" in request.headers && isAllowed(request)
        ? PREFLIGHT
        : null
  }
}
