import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { laggingResponse, withEarlierHead } from "./laggingNode.ts"

/** A fault of a node. With `None`, the proxy returns the responses of the node unchanged. */
export type NodeFault =
  | { readonly _tag: "None" }
  /** Accepts the request and never responds. */
  | { readonly _tag: "Hangs" }
  | { readonly _tag: "ConnectionReset" }
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter?: string }
  /** Responds to every request with this text and status 200. */
  | { readonly _tag: "Says"; readonly text: string; readonly contentType: string }
  /** Returns the correct responses with the ids of other requests. */
  | { readonly _tag: "WrongIds" }
  /** Returns well-formed JSON-RPC responses with impossible results. */
  | { readonly _tag: "NonsenseResults" }
  /** Omits the first response of every batch, and every trace: a caller may not need the first response of a batch. */
  | { readonly _tag: "MissingAnswer" }
  /** Sends the Content-Length of the complete body, then half of the body, and closes the connection. */
  | { readonly _tag: "TruncatedBody" }
  /** Sends the correct response byte by byte. */
  | { readonly _tag: "SlowBytes"; readonly bytesPerSecond: number }
  /** Responds as if the last blocks did not exist yet. */
  | { readonly _tag: "Lags"; readonly blocks: number }
  /** Responds as a node of another network. */
  | { readonly _tag: "OtherChain"; readonly chainId: number }
  /** Returns correct responses, except where `lie` replaces them. */
  | { readonly _tag: "Lies"; readonly lie: ResponseOverride }

/** A JSON-RPC error for a request that the node did not execute. A `ResponseOverride` can return it. */
export class RpcRefusal {
  readonly error: { readonly code: number; readonly message: string }

  constructor(code: number, message: string) {
    this.error = { code, message }
  }
}

/**
 * Returns a replacement for the correct response, or `undefined` to keep the correct response. `requestHonest` requests the
 * correct response from the node.
 */
export type ResponseOverride = (
  request: RpcRequest,
  requestHonest: () => Promise<RpcResponse>
) => Promise<unknown> | undefined

export interface RpcRequest {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

interface RpcBody {
  readonly jsonrpc?: "2.0"
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

export interface RpcResponse {
  readonly jsonrpc?: "2.0" | undefined
  readonly id: unknown
  readonly result?: unknown
  readonly error?: RpcRefusal["error"]
}

type OneOrMany<A> = A | ReadonlyArray<A>

const mapOneOrMany = <A, B>(value: OneOrMany<A>, change: (one: A, index: number) => B): OneOrMany<B> =>
  Array.isArray(value) ? value.map(change) : change(value as A, 0)

/** A proxy in front of a working node, which injects faults. */
export class FaultProxy {
  readonly url: string
  fault: NodeFault = { _tag: "None" }
  /** The methods that were requested, restricted by `countedPath`. */
  readonly requestedMethods: Array<string> = []
  /** Only requests to this path are counted. With null, all requests are counted. */
  countedPath: string | null = null
  readonly #server: Server
  readonly #target: () => string

  private constructor(server: Server, target: () => string) {
    this.#server = server
    this.#target = target
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Starts the proxy. It reads the target for each request, so that the proxy can start before the node. */
  static start(target: () => string): Promise<FaultProxy> {
    return new Promise((resolve) => {
      let proxy: FaultProxy | undefined
      const server = createServer((incoming, response) => {
        proxy?.handle(incoming, response).catch(() => response.destroy())
      })
      server.listen(0, "127.0.0.1", () => {
        proxy = new FaultProxy(server, target)
        resolve(proxy)
      })
    })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Array<Buffer> = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const requests = JSON.parse(body) as OneOrMany<RpcBody>
    if (this.countedPath === null || this.countedPath === incoming.url) {
      this.requestedMethods.push(...[requests].flat().map(({ method }) => method))
    }

    const { fault } = this
    const respondJson = (value: unknown) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
    }
    switch (fault._tag) {
      case "None":
        return respondJson(await this.#respondTo(requests))
      case "Hangs":
        return
      case "ConnectionReset":
        incoming.socket.resetAndDestroy()
        return
      case "Status":
        if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter)
        response.writeHead(fault.status, { "content-type": "text/plain" }).end("no")
        return
      case "Says":
        response.writeHead(200, { "content-type": fault.contentType }).end(fault.text)
        return
      case "WrongIds":
        return respondJson(
          mapOneOrMany(await this.#respondTo(requests), (response) => ({
            ...response,
            id: Number(response.id) + 1_000_000
          }))
        )
      case "NonsenseResults":
        return respondJson(
          mapOneOrMany(await this.#respondTo(requests), (response) => ({ ...response, result: "nonsense" }))
        )
      case "MissingAnswer": {
        const responses = await this.#respondTo(requests)
        const isOmitted = (index: number) => index === 0 || [requests].flat()[index]?.method === "debug_traceCall"
        return respondJson(Array.isArray(responses) ? responses.filter((_, index) => !isOmitted(index)) : {})
      }
      case "TruncatedBody": {
        const text = JSON.stringify(await this.#respondTo(requests))
        response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
        response.write(text.slice(0, text.length / 2), () => incoming.socket.destroy())
        return
      }
      case "SlowBytes": {
        const text = JSON.stringify(await this.#respondTo(requests))
        response.writeHead(200, { "content-type": "application/json" })
        for (let offset = 0; offset < text.length && !response.destroyed; offset += fault.bytesPerSecond / 10) {
          response.write(text.slice(offset, offset + fault.bytesPerSecond / 10))
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        response.end()
        return
      }
      case "Lags": {
        const head = Number(await this.#ask("eth_blockNumber")) - fault.blocks
        const responses = await this.#respondTo(mapOneOrMany(requests, (request) => withEarlierHead(request, head)))
        return respondJson(
          mapOneOrMany(responses, (response, i) => laggingResponse([requests].flat()[i]!.method, response, head))
        )
      }
      case "Lies": {
        const respond = async (request: RpcBody): Promise<RpcResponse> => {
          const honestResponse = async () => (await this.#respondTo(request)) as RpcResponse
          const response = fault.lie({ method: request.method, params: request.params ?? [] }, honestResponse)
          if (response === undefined) return honestResponse()
          const overrideResult = await response
          const { id, jsonrpc } = request
          return overrideResult instanceof RpcRefusal
            ? { jsonrpc, id, error: overrideResult.error }
            : { ...request, result: overrideResult }
        }
        return respondJson(
          Array.isArray(requests) ? await Promise.all(requests.map(respond)) : await respond(requests as RpcBody)
        )
      }
      case "OtherChain": {
        const responses = await this.#respondTo(requests)
        return respondJson(
          mapOneOrMany(responses, (response, i) =>
            [requests].flat()[i]?.method === "eth_chainId"
              ? { ...response, result: `0x${fault.chainId.toString(16)}` }
              : response
          )
        )
      }
    }
  }

  async #respondTo(requests: OneOrMany<RpcBody>): Promise<OneOrMany<RpcResponse>> {
    const response = await fetch(this.#target(), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(requests)
    })
    const responses = (await response.json()) as OneOrMany<RpcResponse>
    if (!Array.isArray(responses)) return responses
    // In the order of the requests, so that the position of a response identifies its request.
    const byId = new Map(responses.map((response: RpcResponse) => [response.id, response]))
    return (requests as ReadonlyArray<RpcBody>).map(({ id }) => byId.get(id)!)
  }

  async #ask(method: string): Promise<unknown> {
    const response = (await this.#respondTo({ jsonrpc: "2.0", id: 1, method, params: [] })) as RpcResponse
    return response.result
  }
}
