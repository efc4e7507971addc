import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import { statusOf, type WireErrorId } from "../errors/index.ts"

/** The answer to what never reaches a handler. */
export interface ConnectionRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The connection ends with it: what else comes on it can't be told apart from the rest of what was refused. */
export const refusal = (
  id: WireErrorId,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): ConnectionRefusal => {
  const traceId = randomUUID()
  const status = statusOf[id]
  const body = JSON.stringify({ statusCode: status, id, message, traceId })
  return {
    status,
    headers: {
      connection: "close",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": traceId,
      ...headers
    },
    body
  }
}

/** As it goes over a connection that has no response to write it with. */
export const textOfRefusal = ({ body, headers, status }: ConnectionRefusal): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`
}

/** By the code of the error with which Node's parser gave up. */
export const refusalOfParser = (code: string | undefined, headersMaxBytes: number): ConnectionRefusal => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusal(
        "HEADERS_TOO_LARGE",
        `The request's headers are larger than the ${headersMaxBytes} bytes that are taken.`
      )
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return refusal("PAYLOAD_TOO_LARGE", "The extensions of the body's chunks are too large. Leave them out.")
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusal("REQUEST_TIMEOUT", "The request did not arrive in time. Send it again on a new connection.")
    default:
      return refusal("BAD_REQUEST", "This is not a well-formed HTTP request.")
  }
}
