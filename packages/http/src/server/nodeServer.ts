import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { Connections } from "./Connections.ts"
import { refusal, refusalOfParser } from "./connectionRefusals.ts"

/** A time limit is kept with this delay at most. */
const CHECK_EVERY_MS = 250

/** Connections beyond the limit that are still told why they are refused; Node closes the rest without an answer. */
const REFUSED_AT_ONCE = 100

const IDLE_SWEEP_MS = 25

/** Node's HTTP server with a limit on everything that a client can use up; beyond each one it answers an error body. */
export const makeServer = (limits: ConnectionLimits): Server => {
  const server = createServer({
    maxHeaderSize: limits.headersMaxBytes,
    // The headers are a part of the request: Node refuses to give them longer.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.receiveTimeoutMs),
    requestTimeout: limits.receiveTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS
  })
  server.maxConnections = limits.connectionsMax + REFUSED_AT_ONCE
  // Node drops the fields beyond its own limit and says nothing: it must see one more than the limit.
  server.maxHeadersCount = limits.headerFieldsMax + 1

  const connections = new Connections(server)
  limitConnections(server, connections, limits.connectionsMax)
  limitHeaderFields(server, connections, limits.headerFieldsMax)
  answerParserErrors(server, connections, limits.headersMaxBytes)
  closeSlowReaders(server, connections, limits.sendTimeoutMs)
  closeIdleConnectionsAtShutdown(server)
  return server
}

const limitConnections = (server: Server, connections: Connections, connectionsMax: number): void => {
  server.on("connection", (socket) => {
    if (connections.count <= connectionsMax) return
    const message = "This process has too many open connections. Try again in a second."
    connections.refuse(socket, refusal("OVERLOADED", message, { "retry-after": "1" }))
  })
}

/** Runs before any listener of the server and answers a request with too many header fields in their place. */
const limitHeaderFields = (server: Server, connections: Connections, headerFieldsMax: number): void => {
  const message = `The request has more than ${headerFieldsMax} header fields.`
  interceptRequests(server, (request, response) => {
    if (!connections.accept(request, response)) return true
    if (request.rawHeaders.length <= 2 * headerFieldsMax) return false
    const { body, headers, status } = refusal("HEADERS_TOO_LARGE", message)
    response.writeHead(status, headers).end(body)
    return true
  })
}

/** Shows each request to `intercept` first; the server's listeners get only those for which it answers false. */
const interceptRequests = (
  server: Server,
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
): void => {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    const [request, response] = args
    return request instanceof IncomingMessage && response instanceof ServerResponse && intercept(request, response)
      ? true
      : emit(event, ...args)
  }
}

/** What Node's HTTP parser rejects never reaches a handler. */
const answerParserErrors = (server: Server, connections: Connections, headersMaxBytes: number): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") return
    connections.refuse(socket as Socket, refusalOfParser(error.code, headersMaxBytes))
  })
}

const closeSlowReaders = (server: Server, connections: Connections, sendTimeoutMs: number): void => {
  const timer = setInterval(() => connections.closeSlowReaders(sendTimeoutMs), CHECK_EVERY_MS).unref()
  server.once("close", () => clearInterval(timer))
}

/** Node closes the connections that are idle when close() is called; one that becomes idle later would hold a shutdown. */
const closeIdleConnectionsAtShutdown = (server: Server): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    const timer = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    return close((error) => {
      clearInterval(timer)
      callback?.(error)
    })
  }
}
