import { randomUUID } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { ErrorId } from "@countersign/core/errors"
import { statusOf } from "../errors/index.ts"

/** What the HTTP parser refuses never reaches a handler; it gets the error body all the same. */
const refusalOf = (code: string | undefined): readonly [ErrorId, string, string] => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return ["HEADERS_TOO_LARGE", "Request Header Fields Too Large", "The request's headers are too large."]
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["REQUEST_TIMEOUT", "Request Timeout", "The request did not arrive in time."]
    default:
      return ["BAD_REQUEST", "Bad Request", "This is not a well-formed HTTP request."]
  }
}

export const makeServer = (): Server => {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return
    const [id, phrase, message] = refusalOf(error.code)
    const body = JSON.stringify({ statusCode: statusOf[id], id, message, traceId: randomUUID() })
    socket.end(
      `HTTP/1.1 ${statusOf[id]} ${phrase}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    )
  })
  // close() drops only the sockets that are idle at that moment; those that become idle later would hold a shutdown.
  const close = server.close.bind(server)
  server.close = (callback) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 25)
    return close((error) => {
      clearInterval(sweep)
      callback?.(error)
    })
  }
  return server
}
