import { Agent, request } from "node:http"

export interface RpcCall {
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

interface RpcResponse {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export interface HttpResponse {
  readonly status: number
  readonly body: Buffer
}

const REQUEST_TIMEOUT_MS = 120_000

/** A JSON-RPC client of one anvil over keep-alive connections. */
export class AnvilRpc {
  readonly #host: string
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 })

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  /** Forwards a request body, single or batch, and returns the response without changes. */
  forward(body: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const clientRequest = request(
        {
          host: this.#host,
          port: this.#port,
          method: "POST",
          agent: this.#agent,
          timeout: REQUEST_TIMEOUT_MS,
          headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
        },
        (clientResponse) => {
          const chunks: Array<Buffer> = []
          clientResponse.on("data", (chunk: Buffer) => chunks.push(chunk))
          clientResponse.on("error", reject)
          clientResponse.on("end", () =>
            resolve({ status: clientResponse.statusCode ?? 502, body: Buffer.concat(chunks) })
          )
        }
      )
      clientRequest.on("timeout", () =>
        clientRequest.destroy(new Error(`anvil did not respond within ${REQUEST_TIMEOUT_MS} ms`))
      )
      clientRequest.on("error", reject)
      clientRequest.end(body)
    })
  }

  /**
   * Returns the results in the order of the calls. anvil runs the calls of a batch concurrently, so calls that depend
   * on each other need separate batches.
   */
  async batch(calls: ReadonlyArray<RpcCall>): Promise<ReadonlyArray<unknown>> {
    if (calls.length === 0) return []
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params: params ?? [] }))
    const { body: text } = await this.forward(JSON.stringify(body))
    const responses = JSON.parse(text.toString()) as ReadonlyArray<RpcResponse>
    const results: Array<unknown> = []
    for (const response of responses) {
      if (response.error !== undefined) throw new Error(`${calls[response.id]?.method}: ${response.error.message}`)
      results[response.id] = response.result
    }
    return results
  }

  async call(method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> {
    return (await this.batch([{ method, params }]))[0]
  }

  close(): void {
    this.#agent.destroy()
  }
}
