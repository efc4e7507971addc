import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { arrivesByRate, missedRateOrNull } from "./bodyRate.ts"
import { type ConnectionRefusal, refusalOfSlowBody, textOfRefusal } from "./connectionRefusals.ts"

/** Time for a client to read a rejection, before the data that the client still sends can reset the connection. */
const GRACE_MS = 500

interface Connection {
  /** Responses that are not completely sent yet, in the order of their requests. */
  readonly answers: Set<ServerResponse>
  lastRequest: IncomingMessage | null
  /**
   * The response that the client is reading, and the time since when it has read nothing, or could have read
   * everything.
   */
  currentRequest: { readonly answer: ServerResponse; readonly sinceMs: number } | null
  /** Whether the connection was rejected. Further requests on it are ignored. */
  isRefused: boolean
}

/** All open connections of a server, with the responses that are not completely sent yet. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#open.set(socket, { answers: new Set(), lastRequest: null, currentRequest: null, isRefused: false })
      socket.once("close", () => this.#open.delete(socket))
    })
  }

  /** False if the connection was rejected. The request must then not be processed or answered. */
  accept(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(request.socket)
    if (connection === undefined || connection.isRefused) return false
    connection.lastRequest = request
    connection.answers.add(response)
    response.once("close", () => connection.answers.delete(response))
    return true
  }

  /**
   * Rejects and ends a connection, after the responses to earlier requests. A partly received request gets the
   * rejection as its response. If its response has already begun, the connection ends without the rejection.
   */
  refuse(socket: Socket, refusal: ConnectionRefusal): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isRefused) return
    connection.isRefused = true
    const answers = [...connection.answers]
    const partial = answers.find(({ req }) => !req.complete)
    const last = answers.findLast((answer) => answer !== partial)
    if (partial?.headersSent) socket.destroySoon()
    else if (last === undefined) this.#end(socket, refusal)
    else last.once("close", () => this.#end(socket, refusal))
  }

  /**
   * Closes the connections whose client exceeds the timeout for reading a response, or for reading more of a streamed
   * response. Call it often.
   */
  closeSlowReaders(timeoutMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const [answer] = connection.answers
      if (answer === undefined || !(answer.writableEnded || answer.writableNeedDrain)) connection.currentRequest = null
      else if (connection.currentRequest?.answer !== answer) {
        const currentRequest = { answer, sinceMs: now }
        connection.currentRequest = currentRequest
        answer.once("drain", () => {
          if (connection.currentRequest === currentRequest) connection.currentRequest = null
        })
      } else if (now - connection.currentRequest.sinceMs >= timeoutMs) socket.destroy()
    }
  }

  /** Ends the connections whose rate-limited body arrives too slowly. Call it once per interval. */
  refuseSlowSenders(intervalMs: number): void {
    for (const [socket, { lastRequest }] of this.#open) {
      const missed = lastRequest === null ? null : missedRateOrNull(lastRequest, intervalMs)
      if (missed !== null) this.refuse(socket, refusalOfSlowBody(missed))
    }
  }

  /** Whether the current request has no deadline as long as its body arrives at the minimum rate. */
  arrivesByRate(socket: Socket): boolean {
    const request = this.#open.get(socket)?.lastRequest ?? null
    return request !== null && arrivesByRate(request)
  }

  #end(socket: Socket, refusal: ConnectionRefusal): void {
    if (!socket.writable) return
    socket.end(textOfRefusal(refusal))
    const timer = setTimeout(() => socket.destroy(), GRACE_MS)
    socket.once("close", () => clearTimeout(timer))
  }
}
