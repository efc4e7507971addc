import type { Node } from "./json.ts"

const header = (description: string, schema: Node, example: unknown): Node => ({ description, schema, example })
const text = { type: "string" }
const seconds = { type: "integer", minimum: 0 }

/** OpenAPI descriptions of all response headers, by name. */
export const answerHeaderNodes = {
  "x-request-id": header(
    "Id of the request, which the service's log also has: the id of the request header, or a new one",
    text,
    "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d"
  ),
  "server-timing": header(
    "Parts of the response time in milliseconds (W3C Server Timing): waiting for nodes and the database, and the " +
      "service's own work. Absent if the request was refused before it was read",
    text,
    "total;dur=41.8, node;dur=30.2, database;dur=2.4, own;dur=9.2"
  ),
  "x-compute-units": header("Compute units that the request cost. Absent if it cost none", seconds, 5),
  ratelimit: header(
    "Requests that the key has left and seconds until the window ends (IETF RateLimit fields). Absent without a limit",
    text,
    '"key";r=99;t=60'
  ),
  "ratelimit-policy": header(
    "Requests that the key may make in a window, and its seconds (IETF RateLimit fields). Absent without a limit",
    text,
    '"key";q=100;w=60'
  ),
  "retry-after": header("Seconds after which the request may be repeated", seconds, 1),
  "idempotent-replayed": header(
    "`true` if the response repeats an earlier one with the same `Idempotency-Key`. Absent otherwise",
    { type: "string", enum: ["true"] },
    "true"
  ),
  deprecation: header(
    "Date of the deprecation of a used parameter (RFC 9745): `chainInId` and `chainOutId` of the history. " +
      "Absent if the request uses no deprecated parameter",
    text,
    "@1767225600"
  ),
  allow: header("Methods that the path supports", text, "GET, POST")
} as const

export type ResponseHeader = keyof typeof answerHeaderNodes

export const headerRefs = (names: ReadonlyArray<ResponseHeader>): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const idempotencyKey: Node = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A unique text of 1 to 255 visible characters, such as a UUID. For 24 hours the same request with the same key gets " +
    "the same response, and is executed once. Another request with this key returns 409 `IDEMPOTENCY_KEY_REUSED`",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" }
}

export const lastEventId: Node = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last message that was processed: the stream continues after it. It has precedence over `after`",
  schema: { type: "string", pattern: "^\\d{1,15}\\.msg_[A-Za-z0-9]+$" }
}
