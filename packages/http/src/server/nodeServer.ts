import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { Connections } from "./Connections.ts"
import { refusal, refusalOfParser } from "./connectionRefusals.ts"

/** How late a time limit is kept. */
const CHECK_EVERY_MS = 250

/** Connections that are told why they are refused; what comes beyond them is closed without a word. */
const REFUSED_AT_ONCE = 100

const crowded = () =>
  refusal("OVERLOADED", "More connections are open than this process takes. Try again in a second.", {
    "retry-after": "1"
  })

/** What is wrong with a request by its headers alone; null where nothing is. */
const refusalOfHead = (request: IncomingMessage, { headerFieldsMax }: ConnectionLimits) => {
  if (request.rawHeaders.length > 2 * headerFieldsMax) {
    return refusal(
      "HEADERS_TOO_LARGE",
      `The request has more than the ${headerFieldsMax} header fields that are taken.`
    )
  }
  // RFC 9112, section 3.2.
  return request.httpVersion === "1.1" && request.headers.host === undefined
    ? refusal("BAD_REQUEST", "The request has no Host header, which HTTP/1.1 asks for.")
    : null
}

/** Looks at each request before anybody answers it, and keeps from them what it says yes to. */
const interceptRequests = (
  server: Server,
  takes: (request: IncomingMessage, response: ServerResponse) => boolean
): void => {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    const [request, response] = args
    return request instanceof IncomingMessage && response instanceof ServerResponse && takes(request, response)
      ? true
      : emit(event, ...args)
  }
}

/** Node's HTTP server with a limit on whatever a client may do to it; past each the error body is answered. */
export const makeServer = (limits: ConnectionLimits): Server => {
  const server = createServer({
    // Refused below, with an error body.
    requireHostHeader: false,
    maxHeaderSize: limits.headersMaxBytes,
    // The headers are a part of the request: Node refuses to give them longer.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.receiveTimeoutMs),
    requestTimeout: limits.receiveTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS
  })
  server.maxConnections = limits.connectionsMax + REFUSED_AT_ONCE
  // Node leaves out the fields beyond its own limit and says nothing: it must see one more than are taken.
  server.maxHeadersCount = limits.headerFieldsMax + 1

  const connections = new Connections(server)
  server.on("connection", (socket) => {
    if (connections.count > limits.connectionsMax) connections.refuse(socket, crowded())
  })
  interceptRequests(server, (request, response) => {
    if (!connections.takes(request, response)) return true
    const refused = refusalOfHead(request, limits)
    if (refused === null) return false
    response.writeHead(refused.status, refused.headers).end(refused.body)
    return true
  })
  // What the HTTP parser refuses never reaches a handler; it gets the error body all the same.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== "ECONNRESET")
      connections.refuse(socket as Socket, refusalOfParser(error.code, limits.headersMaxBytes))
  })
  const watch = setInterval(() => connections.dropSlowReaders(limits.sendTimeoutMs), CHECK_EVERY_MS).unref()

  // close() drops only the sockets that are idle at that moment; those that become idle later would hold a shutdown.
  const close = server.close.bind(server)
  server.close = (callback) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 25)
    return close((error) => {
      clearInterval(sweep)
      clearInterval(watch)
      callback?.(error)
    })
  }
  return server
}
