import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { ConnectionLimits } from "./ConnectionLimits.ts"
import { Connections } from "./Connections.ts"
import { type ConnectionRefusal, parserRefusal, refusal } from "./connectionRefusals.ts"
import { type CrossOrigin, crossOrigin } from "./crossOrigin.ts"
import { hostProblemOrNull, isHostAllowed } from "./hosts.ts"
import { NetworkSlots } from "./NetworkSlots.ts"

/** Interval of the timeout checks, in milliseconds. A timeout can be late by this much. */
const CHECK_EVERY_MS = 250

/** Number of connections beyond the limit that still get an error response. Node closes further ones silently. */
const MAX_CONCURRENT_REFUSALS = 100

const IDLE_SWEEP_MS = 25

/**
 * Creates Node's HTTP server with limits for connections, headers and slow clients. If `allowedHosts` is not null, the
 * server accepts only requests for these hosts and loopback names. The server calls `onClose` when it begins to close.
 */
export const makeServer = (
  limits: ConnectionLimits,
  corsOrigins: ReadonlyArray<string>,
  allowedHosts: ReadonlyArray<string> | null,
  onClose: () => void
): Server => {
  const server = createServer({
    maxHeaderSize: limits.headersMaxBytes,
    // Node requires that the header timeout is not longer than the request timeout.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.receiveTimeoutMs),
    requestTimeout: limits.receiveTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    // An upgraded connection would bypass the limits of this server, and no route needs an upgrade.
    shouldUpgradeCallback: () => false
  })
  server.maxConnections = limits.connectionsMax + MAX_CONCURRENT_REFUSALS
  // Node silently drops header fields beyond its own limit. With a limit higher by one, the server can detect too many
  // fields.
  server.maxHeadersCount = limits.headerFieldsMax + 1

  const connections = new Connections(server)
  const { connectionsMax } = limits
  const slots = new NetworkSlots(connectionsMax, { subnet: connectionsMax, site: connectionsMax })
  limitConnections(server, connections, slots)
  checkHeaders(server, connections, limits.headerFieldsMax, allowedHosts, crossOrigin(corsOrigins))
  respondToParserErrors(server, connections, limits.headersMaxBytes)
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

/**
 * Checks each request before the server's listeners get it. Responds to preflight requests and to requests with invalid
 * headers.
 */
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
    const headerRefusal = headerRefusalOrNull(request.rawHeaders, headerFieldsMax, allowedHosts)
    const preflight = preflightOrNull(request)
    if (headerRefusal !== null) response.writeHead(headerRefusal.status, headerRefusal.headers).end(headerRefusal.body)
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
    : refusal("HOST_NOT_ALLOWED", "The Host header does not name a host of this service. Use 127.0.0.1 or localhost.")
}

/** Passes each request to `intercept`. The server's listeners get the request only when `intercept` calls `handle`. */
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

/** Responds to requests that Node's HTTP parser rejects. */
const respondToParserErrors = (server: Server, connections: Connections, headersMaxBytes: number): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") return
    // Node applies one timeout to all requests. It reports a timed-out request once, and lets this listener decide. A
    // body with its own minimum rate may continue.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && connections.arrivesByRate(socket as Socket)) return
    connections.refuse(socket as Socket, parserRefusal(error.code, headersMaxBytes))
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
 * Closes connections that become idle during the shutdown, because they would delay it. Node closes only those that are
 * idle when close() is called. `onClose` ends streamed responses.
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
