import { type ErrorEntry, type ErrorId, errorTable } from "@countersign/adapters/api/errors"

/**
 * Errors of the HTTP server that the core does not define. Of these, the library returns only INTERNAL_SERVER_ERROR.
 */
export const transportErrors = {
  NOT_FOUND: {
    status: 404,
    meaning: "There is no such endpoint.",
    remedy: "Check the path. It must not end with a slash."
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: "The endpoint does not support this method.",
    remedy: "Use a method that the `Allow` header lists."
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: "The body is too large.",
    remedy: "Send a smaller body. `message` states the limit."
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: "The body is not declared as JSON.",
    remedy: "Send `content-type: application/json`."
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    meaning: "The path and the headers together are too large, or there are too many header fields.",
    remedy: "Send a shorter path, and fewer or shorter headers."
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    meaning: "The sandbox does not accept the host name in the `Host` header.",
    remedy: "Use `127.0.0.1` or `localhost`. To allow another name, the operator sets `HOST` or `PUBLIC_URL`."
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: "The complete request did not arrive in time.",
    remedy: "Send it again on a new connection."
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning: "The service has an internal error.",
    remedy: "Send `traceId` to the operator. A POST may be repeated with the same `Idempotency-Key`."
  }
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type WireErrorId = ErrorId | keyof typeof transportErrors

/** All errors of the API: those of the core and those of the HTTP server. */
export const wireErrors = { ...errorTable, ...transportErrors }
