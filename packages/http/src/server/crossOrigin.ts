import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"

/** Which pages of other origins may call the service from a browser. */
export interface CrossOrigin {
  /** Says in the answer, before it is written, that the page may read it: errors too. */
  readonly mark: (request: IncomingMessage, response: ServerResponse) => void
  /** The headers that answer a browser's question whether it may send the request; null for any other request. */
  readonly preflightOrNull: (request: IncomingMessage) => OutgoingHttpHeaders | null
}

const PREFLIGHT: OutgoingHttpHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers":
    "authorization, content-type, idempotency-key, last-event-id, x-api-key, x-request-id",
  // Seconds; browsers take two hours at most.
  "access-control-max-age": "3600"
}

/** The headers that a page may read beside those that every page may. */
const EXPOSED =
  "deprecation, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, server-timing, x-compute-units, x-request-id"

/** Of `origins` alone, each by its own name: keys are sent along, so that no answer is for everybody. */
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
