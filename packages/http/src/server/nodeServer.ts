import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { Connections } from "./Connections.ts"
import { type ConnectionRefusal, refusal, refusalOfParser } from "./connectionRefusals.ts"
import { type CrossOrigin, crossOrigin } from "./crossOrigin.ts"
import { hostProblemOrNull, isHostAllowed } from "./hosts.ts"
import { NetworkSlots } from "./NetworkSlots.ts"

/** Interval of the checks, by which timeouts may be late. */
const CHECK_EVERY_MS = 250

/** Number of connections beyond the limit that still get a rejection. Node closes further ones silently. */
const MAX_CONCURRENT_REFUSALS = 100

const IDLE_SWEEP_MS = 25

/**
 * Node's HTTP server with limits for all resources that a client can use. Beyond each limit it responds with an error
 * body. With `allowedHosts` it only accepts requests for these hosts and loopback names. `onClose` is called when the
 * server begins to close.
 */
export const makeServer = (
  limits: ConnectionLimits,
  corsOrigins: ReadonlyArray<string>,
  allowedHosts: ReadonlyArray<string> | null,
  onClose: () => void
): Server => {
  const server = createServer({
    maxHeaderSize: limits.headersMaxBytes,
    // Node does not allow a timeout of the headers that is longer than that of the request.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.receiveTimeoutMs),
    requestTimeout: limits.receiveTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // No route is upgraded. An upgraded connection would bypass the limits of this server.
    shouldUpgradeCallback: () => false
  })
  server.maxConnections = limits.connectionsMax + MAX_CONCURRENT_REFUSALS
  // Node silently drops fields beyond its own limit, so its limit must be one higher.
  server.maxHeadersCount = limits.headerFieldsMax + 1

  const connections = new Connections(server)
  const { connectionsMax } = limits
  const slots = new NetworkSlots(connectionsMax, { subnet: connectionsMax, site: connectionsMax })
  limitConnections(server, connections, slots)
  checkHeaders(server, connections, limits.headerFieldsMax, allowedHosts, crossOrigin(corsOrigins))
  answerParserErrors(server, connections, limits.headersMaxBytes)
  endSlowConnections(server, connections, limits.sendTimeoutMs)
  closeConnectionsAtShutdown(server, onClose)
  return server
}

const limitConnections = (server: Server, connections: Connections, slots: NetworkSlots): void => {
  server.on("connection", (socket) => {
    const slot = slots.take(socket.remoteAddress ?? "")
    if (typeof slot !== "string") {
      socket.once("close", slot.release)
      return
    }
    const holder = slot === "FULL" ? "This process" : "Your address"
    const message = `${holder} has too many open connections. Try again in a second.`
    connections.refuse(socket, refusal("OVERLOADED", message, { "retry-after": "1" }))
  })
}

/** Runs before the server's listeners. Responds itself to a request with invalid headers. */
const checkHeaders = (
  server: Server,
  connections: Connections,
  headerFieldsMax: number,
  allowedHosts: ReadonlyArray<string> | null,
  { mark, preflightOrNull }: CrossOrigin
): void => {
  interceptRequests(server, (request, response, handle) => {
    response.setHeader("x-content-type-options", "nosniff")
    mark(request, response)
    if (!connections.accept(request, response)) return
    const problem = headerRefusalOrNull(request.rawHeaders, headerFieldsMax, allowedHosts)
    const preflight = preflightOrNull(request)
    if (problem !== null) response.writeHead(problem.status, problem.headers).end(problem.body)
    else if (preflight !== null) response.writeHead(204, preflight).end()
    else handle()
  })
}

const headerRefusalOrNull = (
  rawHeaders: ReadonlyArray<string>,
  headerFieldsMax: number,
  allowedHosts: ReadonlyArray<string> | null
): ConnectionRefusal | null => {
  if (rawHeaders.length > 2 * headerFieldsMax) {
    return refusal("HEADERS_TOO_LARGE", `The request has more than ${headerFieldsMax} header fields.`)
  }
  const problem = hostProblemOrNull(rawHeaders)
  if (problem !== null) return refusal("BAD_REQUEST", problem)
  return allowedHosts === null || isHostAllowed(rawHeaders, allowedHosts)
    ? null
    : refusal("HOST_NOT_ALLOWED", "The Host header names no host of this service. Use 127.0.0.1 or localhost.")
}

/** Passes each request to `intercept` first. The server's listeners get the requests for which it calls `handle`. */
const interceptRequests = (
  server: Server,
  intercept: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void
): void => {
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    const [request, response] = args
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return emit(event, ...args)
    intercept(request, response, () => emit(event, ...args))
    return true
  }
}

/** Responds to requests that Node's HTTP parser rejects, which never reach a handler. */
const answerParserErrors = (server: Server, connections: Connections, headersMaxBytes: number): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") return
    // Node has one timeout for all requests, reports it once for each request, and leaves the response to this
    // listener.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && connections.arrivesByRate(socket as Socket)) return
    connections.refuse(socket as Socket, refusalOfParser(error.code, headersMaxBytes))
  })
}

const endSlowConnections = (server: Server, connections: Connections, sendTimeoutMs: number): void => {
  const timer = setInterval(() => {
    connections.closeSlowReaders(sendTimeoutMs)
    connections.refuseSlowSenders(CHECK_EVERY_MS)
  }, CHECK_EVERY_MS).unref()
  server.once("close", () => clearInterval(timer))
}

/**
 * When close() is called, Node closes idle connections. A connection that becomes idle later would delay a shutdown.
 * `onClose` ends streaming responses.
 */
const closeConnectionsAtShutdown = (server: Server, onClose: () => void): void => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    onClose()
    const timer = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    return close((error) => {
      clearInterval(timer)
      callback?.(error)
    })
  }
}
