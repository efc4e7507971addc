import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { arrivesByRate, missedRateOrNull } from "./bodyRate.ts"
import { type ConnectionRefusal, refusalText, slowBodyRefusal } from "./connectionRefusals.ts"

/**
 * Milliseconds for a client to read a rejection. Closing the connection earlier could reset it while the client is
 * still sending.
 */
const GRACE_MS = 500

interface Connection {
  /** Responses that are not completely sent, in the order of their requests. */
  readonly responses: Set<ServerResponse>
  lastRequest: IncomingMessage | null
  /**
   * The response that waits for the client to read, and when that was first observed. Null while no response waits for
   * the client.
   */
  currentRequest: { readonly response: ServerResponse; readonly sinceMs: number } | null
  /** Whether the connection was rejected. Further requests on it are ignored. */
  isRefused: boolean
}

/** All open connections of a server, with the responses that are not completely sent. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#open.set(socket, { responses: new Set(), lastRequest: null, currentRequest: null, isRefused: false })
      socket.once("close", () => this.#open.delete(socket))
    })
  }

  /**
   * Registers a request. Returns false if the connection is closed or was rejected; the caller must then ignore the
   * request.
   */
  accept(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(request.socket)
    if (connection === undefined || connection.isRefused) return false
    connection.lastRequest = request
    connection.responses.add(response)
    response.once("close", () => connection.responses.delete(response))
    return true
  }

  /**
   * Rejects and ends a connection after the responses to its earlier requests. A partly received request gets the
   * rejection as its response. If the service already started a response to it, the connection ends without the
   * rejection.
   */
  refuse(socket: Socket, refusal: ConnectionRefusal): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isRefused) return
    connection.isRefused = true
    const responses = [...connection.responses]
    const responseToPartialRequest = responses.find(({ req }) => !req.complete)
    const lastEarlierResponse = responses.findLast((response) => response !== responseToPartialRequest)
    if (responseToPartialRequest?.headersSent) socket.destroySoon()
    else if (lastEarlierResponse === undefined) this.#end(socket, refusal)
    else lastEarlierResponse.once("close", () => this.#end(socket, refusal))
  }

  /**
   * Closes connections whose client has not read a response, or more of a streamed response, within the timeout. The
   * caller must call it at short intervals.
   */
  closeSlowReaders(timeoutMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const [response] = connection.responses
      if (response === undefined || !(response.writableEnded || response.writableNeedDrain))
        connection.currentRequest = null
      else if (connection.currentRequest?.response !== response) {
        const unreadResponse = { response, sinceMs: now }
        connection.currentRequest = unreadResponse
        response.once("drain", () => {
          if (connection.currentRequest === unreadResponse) connection.currentRequest = null
        })
      } else if (now - connection.currentRequest.sinceMs >= timeoutMs) socket.destroy()
    }
  }

  /**
   * Rejects connections whose request body arrives below its minimum rate. The caller must call it once per
   * `intervalMs`.
   */
  refuseSlowSenders(intervalMs: number): void {
    for (const [socket, { lastRequest }] of this.#open) {
      const missedRate = lastRequest === null ? null : missedRateOrNull(lastRequest, intervalMs)
      if (missedRate !== null) this.refuse(socket, slowBodyRefusal(missedRate))
    }
  }

  /** Returns whether the minimum body rate replaces the timeout of the current request. */
  arrivesByRate(socket: Socket): boolean {
    const request = this.#open.get(socket)?.lastRequest ?? null
    return request !== null && arrivesByRate(request)
  }

  #end(socket: Socket, refusal: ConnectionRefusal): void {
    if (!socket.writable) return
    socket.end(refusalText(refusal))
    const timer = setTimeout(() => socket.destroy(), GRACE_MS)
    socket.once("close", () => clearTimeout(timer))
  }
}
