import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { close, listen } from "../../support/localServer.ts"

/** A fault that is injected into the next HTTP request. */
export type Fault =
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string; readonly data?: string }
  /** Never responds. */
  | { readonly _tag: "Hang" }
  /** Closes the connection without a response. */
  | { readonly _tag: "Drop" }

/** A JSON-RPC error in a response. */
export class RpcFault extends Error {
  override name = "RpcFault"
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

export type Method = (params: ReadonlyArray<unknown>) => Promise<unknown>

export interface JsonRpcServer {
  readonly url: string
  /** Sets faults for the next requests, one for each, in order. */
  readonly inject: (...faults: ReadonlyArray<Fault>) => void
  /** The requested methods, in order. */
  readonly requestedMethods: ReadonlyArray<string>
}

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603

/** Serves JSON-RPC 2.0 over HTTP on a free port, single requests and batches. Stops with its scope. */
export const serveJsonRpc = (
  methods: Readonly<Record<string, Method>>
): Effect.Effect<JsonRpcServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const faults: Array<Fault> = []
    const requestedMethods: Array<string> = []

    const respondTo = async (request: Request, fault: Fault | undefined): Promise<unknown> => {
      requestedMethods.push(request.method)
      const { id } = request
      try {
        if (fault?._tag === "Error") throw new RpcFault(fault.code, fault.message, fault.data)
        const method = methods[request.method]
        if (method === undefined) throw new RpcFault(METHOD_NOT_FOUND, `the method ${request.method} does not exist`)
        return { jsonrpc: "2.0", id, result: await method(request.params ?? []) }
      } catch (thrown) {
        const code = thrown instanceof RpcFault ? thrown.code : INTERNAL_ERROR
        const data = thrown instanceof RpcFault ? thrown.data : undefined
        const message = thrown instanceof Error ? thrown.message : String(thrown)
        return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } }
      }
    }

    const respond = async (body: string, response: ServerResponse): Promise<void> => {
      const fault = faults.shift()
      if (fault?._tag === "Drop") return void response.destroy()
      if (fault?._tag === "Hang") return
      if (fault?._tag === "Status") {
        if (fault.retryAfterSeconds !== undefined) response.setHeader("retry-after", fault.retryAfterSeconds)
        return void response.writeHead(fault.status).end()
      }
      const requests = JSON.parse(body) as Request | ReadonlyArray<Request>
      const responses = await Promise.all(
        (Array.isArray(requests) ? requests : [requests]).map((request: Request) => respondTo(request, fault))
      )
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(Array.isArray(requests) ? responses : responses[0]))
    }

    const server = createServer((incoming, response) => {
      if (incoming.method !== "POST") return void response.writeHead(405).end()
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        void respond(Buffer.concat(chunks).toString(), response)
      })
    })
    yield* Effect.acquireRelease(listen(server), () => close(server))
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      inject: (...newFaults) => void faults.push(...newFaults),
      requestedMethods
    }
  })
