import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import { docUrl, type WireErrorId, wireErrors } from "../errors/index.ts"
import type { BodyRate } from "./bodyRate.ts"

/** A rejection by the server itself, instead of the response of a handler. */
export interface ConnectionRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Builds a rejection. It closes the connection, because the following bytes may still belong to the rejected request.
 */
export const refusal = (
  id: WireErrorId,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): ConnectionRefusal => {
  const traceId = randomUUID()
  const { status } = wireErrors[id]
  const body = JSON.stringify({ statusCode: status, id, message, traceId, doc_url: docUrl(id) })
  return {
    status,
    headers: {
      connection: "close",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": traceId,
      "x-content-type-options": "nosniff",
      ...headers
    },
    body
  }
}

/** Formats a rejection as a raw HTTP response, for a connection without a response object. */
export const refusalText = ({ body, headers, status }: ConnectionRefusal): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`
}

export const slowBodyRefusal = ({ bytesPerSecond }: BodyRate): ConnectionRefusal =>
  refusal(
    "REQUEST_TIMEOUT",
    `The body arrived at less than ${bytesPerSecond} bytes per second. Send the request again on a new connection.`
  )

/** Returns the rejection for an error code of Node's HTTP parser. */
export const parserRefusal = (code: string | undefined, headersMaxBytes: number): ConnectionRefusal => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal(
        "HEADERS_TOO_LARGE",
        `The request's path and headers together are larger than ${headersMaxBytes} bytes.`
      )
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal(
        "REQUEST_TIMEOUT",
        "The complete request did not arrive in time. Send it again on a new connection."
      )
    default:
      return refusal("BAD_REQUEST", "This is not a well-formed HTTP request.")
  }
}
