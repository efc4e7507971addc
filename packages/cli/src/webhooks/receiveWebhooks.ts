import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { ReceivedHeaders } from "@countersign/adapters/outbound/webhooks"
import { Effect, Queue, type Scope } from "effect"
import { CommandRefused } from "../environment/errors.ts"

/** A received POST. The consumer of the queue must respond to it. */
export interface ReceivedWebhook {
  readonly headers: ReceivedHeaders
  readonly body: string
  readonly respond: (status: number) => void
}

const BODY_BYTES_MAX = 1024 * 1024
const CLOSE_TIMEOUT_MS = 200

const bodyOf = (request: IncomingMessage): Promise<string | null> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_BYTES_MAX) resolve(null)
      else chunks.push(chunk)
    })
    request.on("error", () => resolve(null))
    request.on("end", () => resolve(Buffer.concat(chunks).toString()))
  })

/** Closes the server. Pending responses can end within `CLOSE_TIMEOUT_MS`. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref()
  })

/** Receives webhooks on this machine until the scope closes. Port 0 selects any free port. */
export const receiveWebhooks = (
  port: number
): Effect.Effect<
  { readonly url: string; readonly received: Queue.Dequeue<ReceivedWebhook> },
  CommandRefused,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const webhooks = yield* Queue.unbounded<ReceivedWebhook>()
    const server = createServer((request, response) => {
      const respond = (status: number) => {
        response.writeHead(status).end()
      }
      if (request.method !== "POST") return respond(405)
      bodyOf(request).then((body) => {
        if (body === null) return respond(413)
        Queue.offerUnsafe(webhooks, { headers: request.headers, body, respond })
      })
    })
    const listen = Effect.callback<string, CommandRefused>((resume) => {
      server.once("error", (cause) =>
        resume(
          Effect.fail(new CommandRefused({ reason: `Can't listen on port ${port} of 127.0.0.1: ${cause.message}` }))
        )
      )
      server.listen(port, "127.0.0.1", () =>
        resume(Effect.succeed(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
      )
    })
    const url = yield* Effect.acquireRelease(listen, () => close(server))
    return { url, received: webhooks }
  })
