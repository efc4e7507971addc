import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type ConnectionRefusal, textOfRefusal } from "./connectionRefusals.ts"

/** For a client to read why it was refused, before what it still sends could reset the connection. */
const GRACE_MS = 500

interface Connection {
  /** Not given in full yet, in the order of their requests. */
  readonly answers: Set<ServerResponse>
  /** The answer that the client is taking, and since when. */
  taking: { readonly answer: ServerResponse; readonly sinceMs: number } | null
  /** Nothing that comes on it is answered any more. */
  isRefused: boolean
}

/** Every open connection of a server, and what is still to be answered on it. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#open.set(socket, { answers: new Set(), taking: null, isRefused: false })
      socket.once("close", () => this.#open.delete(socket))
    })
  }

  get count(): number {
    return this.#open.size
  }

  /** False where the connection was refused: then the request must not be answered, nor anything done for it. */
  takes({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isRefused) return false
    connection.answers.add(response)
    response.once("close", () => connection.answers.delete(response))
    return true
  }

  /**
   * Ends a connection with a refusal, after the answers to the requests that came before. A request of which only a
   * part has come gets it in place of its answer; if that has begun, there is nothing more to say.
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

  /** Cuts off who has not taken an answer in the time given. To be called often. */
  dropSlowReaders(timeoutMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const [answer] = connection.answers
      if (answer === undefined || !answer.writableEnded) connection.taking = null
      else if (connection.taking?.answer !== answer) connection.taking = { answer, sinceMs: now }
      else if (now - connection.taking.sinceMs >= timeoutMs) socket.destroy()
    }
  }

  #end(socket: Socket, refusal: ConnectionRefusal): void {
    if (!socket.writable) return
    socket.end(textOfRefusal(refusal))
    const timer = setTimeout(() => socket.destroy(), GRACE_MS)
    socket.once("close", () => clearTimeout(timer))
  }
}
