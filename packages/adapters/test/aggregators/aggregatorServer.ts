import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { OfferRequest, SwapProvider } from "@countersign/core/trading/swap"
import { Effect, type Scope } from "effect"
import type { EmulatorResponse, ResponseOrNull } from "../../sandbox/aggregators/emulator.ts"
import { close, listen } from "../support/localServer.ts"

/** A response that replaces the correct one. */
export interface InjectedResponse {
  readonly status: number
  readonly text: string
  readonly retryAfter?: string
}

export interface AggregatorServer<Built> {
  readonly url: string
  readonly requests: Array<{ readonly target: string; readonly headers: IncomingHttpHeaders; readonly body: string }>
  makerBps: bigint
  /** Changes a transaction before it is returned. */
  cheat: ((built: Built) => Built) | null
  /** Responses for the next requests, one for each. */
  readonly injected: Array<InjectedResponse>
  readonly stop: () => Promise<void>
}

export const callNode = async (url: string, method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { error, result } = (await response.json()) as { readonly result?: unknown; readonly error?: unknown }
  if (error !== undefined) throw new Error(`${method} failed`)
  return result
}

/**
 * Serves the API of an aggregator, with prices from the pools of a sandbox, on a free port. A test can change or
 * replace the responses.
 */
export const startAggregatorServer = async <Built>(
  responseOrNull: ResponseOrNull,
  rpcUrl: (chainId: EvmChainId) => string,
  /** Changes the transaction in a response. A response without a transaction is returned unchanged. */
  applyCheat: (response: EmulatorResponse, cheat: (built: Built) => Built, target: string) => EmulatorResponse
): Promise<AggregatorServer<Built>> => {
  const respond = async (method: string, target: string, body: string): Promise<EmulatorResponse> => {
    const { pathname: path, searchParams: query } = new URL(target, "http://aggregator")
    const response = await responseOrNull(
      {
        chain: (chainId) => ({ call: (name, ...params) => callNode(rpcUrl(chainId), name, params) }),
        nowSeconds: () => Math.floor(Date.now() / 1_000),
        makerBps: aggregator.makerBps
      },
      { method, path, query, body }
    )
    if (response === null) return { status: 404, body: { message: "not found" } }
    return response.status !== 200 || aggregator.cheat === null
      ? response
      : applyCheat(response, aggregator.cheat, path)
  }

  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const target = request.url ?? "/"
    aggregator.requests.push({ target, headers: request.headers, body })
    const injectedResponse = aggregator.injected.shift()
    if (injectedResponse !== undefined) {
      if (injectedResponse.retryAfter !== undefined) response.setHeader("retry-after", injectedResponse.retryAfter)
      return void response
        .writeHead(injectedResponse.status, { "content-type": "application/json" })
        .end(injectedResponse.text)
    }
    const aggregatorResponse = await respond(request.method ?? "GET", target, body)
    response
      .writeHead(aggregatorResponse.status, { "content-type": "application/json" })
      .end(JSON.stringify(aggregatorResponse.body))
  })
  await Effect.runPromise(listen(server))
  const aggregator: AggregatorServer<Built> = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    makerBps: 0n,
    cheat: null,
    injected: [],
    stop: () => Effect.runPromise(close(server))
  }
  return aggregator
}

/** Returns the URL for a server without a sandbox. The test of such a server injects every response. */
const unusedRpcUrl = () => "http://127.0.0.1:1"

type OfferBy = (fields?: Partial<OfferRequest>) => ReturnType<SwapProvider["offer"]>

/**
 * Runs a test with such a server, and with a provider that requests quotes from it. `fields` overrides fields of the
 * request.
 */
export const withAggregatorServer =
  <Server extends { readonly url: string; readonly stop: () => Promise<void> }>(
    start: (rpcUrl: (chainId: EvmChainId) => string) => Promise<Server>,
    providerAt: (url: string) => Effect.Effect<SwapProvider, never, Scope.Scope>,
    request: OfferRequest
  ) =>
  <A, E>(test: (server: Server, offer: OfferBy) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => start(unusedRpcUrl)),
        ({ stop }) => Effect.promise(stop)
      )
      const provider = yield* providerAt(server.url)
      return yield* test(server, (fields = {}) => provider.offer({ ...request, ...fields }))
    }).pipe(Effect.scoped)
