import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Webhook } from "standardwebhooks"
import { waitUntil } from "../../../core/test/support/until.ts"

export interface ReceivedEvent {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests read events as a receiver without generated types does.
  readonly event: any
}

/** Returns the status of the next response; null for no response. */
type Behaviour = () => number | null

/** Starts a real HTTP server on its own port that stores the requests it receives. */
export const startWebhookReceiver = async () => {
  const receivedRequests: Array<ReceivedEvent> = []
  const behaviourByPath = new Map<string, Behaviour>()
  const heldSockets: Array<Socket> = []
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    request.on("end", () => {
      const path = request.url ?? "/"
      receivedRequests.push({ path, headers: request.headers, text, event: JSON.parse(text) })
      const status = behaviourByPath.get(path)?.() ?? (behaviourByPath.has(path) ? null : 200)
      if (status === null) heldSockets.push(request.socket)
      else response.writeHead(status, status === 302 ? { location: "/redirected" } : {}).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const requestsAt = (path: string) => receivedRequests.filter((each) => each.path === path)

  return {
    received: receivedRequests,
    url: (path: string) => `${baseUrl}${path}`,
    at: requestsAt,
    /** Makes a path respond with these statuses in sequence. The last one repeats. */
    answering: (path: string, ...statuses: ReadonlyArray<number | null>) => {
      let statusIndex = 0
      behaviourByPath.set(path, () => statuses[Math.min(statusIndex++, statuses.length - 1)] ?? null)
    },
    /** Closes the connections of requests that have no response yet. */
    dropHeld: () => {
      for (const socket of heldSockets.splice(0)) socket.destroy()
    },
    /** Waits until a path has received this many requests. */
    waitFor: async (path: string, count: number) => {
      await waitUntil(
        () => requestsAt(path).length,
        (receivedCount) => receivedCount >= count
      )
      return requestsAt(path)
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** Throws unless the reference library verifies the delivery with the secret. */
export const verifyDelivery = (secret: string, { headers, text }: ReceivedEvent): void => {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}
