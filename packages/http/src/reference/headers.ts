import type { Node } from "./json.ts"

const header = (description: string, schema: Node, example: unknown): Node => ({ description, schema, example })
const text = { type: "string" }
const nonNegativeInteger = { type: "integer", minimum: 0 }

/** OpenAPI descriptions of the documented response headers, by name. */
export const responseHeaderNodes = {
  "x-request-id": header(
    "Id of the request, which the service also logs: the `x-request-id` of the request, or a new id",
    text,
    "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d"
  ),
  "server-timing": header(
    "Response time in milliseconds (W3C Server Timing): the total, the time waiting for nodes and for the database, and the " +
      "service's own time. Absent if the service rejected the request before reading it",
    text,
    "total;dur=41.8, node;dur=30.2, database;dur=2.4, own;dur=9.2"
  ),
  "x-compute-units": header(
    "Number of compute units that the request cost. Absent if the request was free",
    nonNegativeInteger,
    5
  ),
  ratelimit: header(
    "Remaining requests of the API key, and seconds until the window ends (IETF RateLimit fields). Absent if there is no limit",
    text,
    '"key";r=99;t=60'
  ),
  "ratelimit-policy": header(
    "Maximum requests of the API key per window, and seconds of a window (IETF RateLimit fields). Absent if there is no limit",
    text,
    '"key";q=100;w=60'
  ),
  "retry-after": header("Seconds after which the request may be repeated", nonNegativeInteger, 1),
  "idempotent-replayed": header(
    "`true` if the service repeats the stored response of an earlier request with the same `Idempotency-Key`. Absent otherwise",
    { type: "string", enum: ["true"] },
    "true"
  ),
  deprecation: header(
    "Date since which a parameter of the request is deprecated (RFC 9745): `chainInId` or `chainOutId` of the history. " +
      "Absent if the request uses no deprecated parameter",
    text,
    "@1767225600"
  ),
  allow: header("Methods that the path supports", text, "GET, POST")
} as const

export type ResponseHeader = keyof typeof responseHeaderNodes

export const headerRefs = (names: ReadonlyArray<ResponseHeader>): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const idempotencyKey: Node = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A unique text of 1 to 255 visible ASCII characters, such as a UUID. For 24 hours a repeated request with the same key gets " +
    "the same response without being executed again. A 429 or 5xx response, `FORBIDDEN_SCOPE` and `UNAVAILABLE_COMPUTE_UNITS` are " +
    "not stored: a repeated request is executed. A different request with this key gets 409 `IDEMPOTENCY_KEY_REUSED`",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" }
}

export const lastEventId: Node = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last processed message. The stream continues after this message. Takes precedence over `after`",
  schema: { type: "string", pattern: "^\\d{1,15}\\.msg_[A-Za-z0-9]+$" }
}
