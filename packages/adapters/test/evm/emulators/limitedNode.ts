import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

interface Request {
  readonly id: unknown
  readonly method: string
}

/**
 * Starts a node that forwards requests to another node, but rejects methods with these names or prefixes. It stops with
 * its scope.
 */
export const limitedNode = (
  url: string,
  refusedMethods: ReadonlyArray<string>
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const isRefused = ({ method }: Request) => refusedMethods.some((prefix) => method.startsWith(prefix))
    const refusalOf = ({ id, method }: Request) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32601, message: `the method ${method} does not exist/is not available` }
    })
    const forward = async (requests: ReadonlyArray<Request>): Promise<ReadonlyArray<object>> => {
      if (requests.length === 0) return []
      const headers = { "content-type": "application/json" }
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(requests) })).json() as never
    }
    const server = createServer(async (incoming, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Request | ReadonlyArray<Request>
      const requests = [body].flat() as ReadonlyArray<Request>
      const nodeResponses = await forward(requests.filter((request) => !isRefused(request)))
      const responses = [...nodeResponses, ...requests.filter(isRefused).map(refusalOf)]
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(Array.isArray(body) ? responses : responses[0]))
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
