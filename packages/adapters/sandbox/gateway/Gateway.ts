import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse
} from "node:http"
import type { AddressInfo } from "node:net"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Schema } from "effect"
import { LIFI_BITCOIN } from "../../src/exchanges/aggregators/index.ts"
import { suggestedFees } from "../across/suggestedFees.ts"
import type { ResponseOrNull } from "../aggregators/emulator.ts"
import { kyberSwapResponseOrNull } from "../aggregators/kyberSwapResponse.ts"
import { statusResponse } from "../aggregators/lifi-bitcoin/lifiStatus.ts"
import { lifiResponseOrNull } from "../aggregators/lifiResponse.ts"
import { veloraResponseOrNull } from "../aggregators/veloraResponse.ts"
import { BLINDPAY_PATH, BLINDPAY_UPLOAD_PATH, bankResponseOrNull } from "../bank/index.ts"
import { BRIDGE_PATH, bridgeResponse } from "../bridge/index.ts"
import type { SandboxBook } from "../cow/index.ts"
import { bitcoinPageOrNull } from "../explorer/bitcoinPage.ts"
import { explorerHeaders, explorerResponseOrNull } from "../explorer/explorerResponse.ts"
import { coinGeckoResponseOrNull } from "../market-data/coinGeckoResponse.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { SandboxError } from "../SandboxError.ts"
import { thorNodeResponseOrNull } from "../thorchain/thorNodeResponse.ts"
import { controlRoutes } from "./controlRoutes.ts"

/** Path of the emulated CoinGecko API. */
export const MARKET_DATA_PATH = "/coingecko/api/v3"
/** Path of the emulated Across API. */
export const ACROSS_PATH = "/across/api"

/** Path of the order books. The paths below it are those of CoW Protocol's API. */
export const COW_PATH = "/cow"

/** Path of the emulated KyberSwap aggregator API. */
export const KYBERSWAP_PATH = "/kyberswap"
/** Path of the emulated Velora API. */
export const VELORA_PATH = "/velora"

/** Path of the emulated THORNode. */
export const THORNODE_PATH = "/thornode"
/** Path of the emulated LI.FI API. */
export const LIFI_PATH = "/lifi/v1"

/** Path of the Esplora API of the sandbox's Bitcoin chain. */
export const ESPLORA_PATH = "/bitcoin"

/** Status and message of a rejected request. */
interface GatewayRefusal {
  readonly status: 403 | 415
  readonly message: string
}

const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u

/**
 * Rejects requests of pages in a browser, which must not control the sandbox. If such a page uses DNS rebinding, its
 * requests contain its own host name as `Host`. Otherwise its requests have an `Origin`, or a content type that a
 * browser sends without a CORS preflight.
 */
const refusalOrNull = (
  method: string | undefined,
  path: string,
  { "content-type": contentType = "", host = "", origin }: IncomingHttpHeaders
): GatewayRefusal | null => {
  if (!THIS_MACHINE.test(host))
    return { status: 403, message: "The sandbox accepts only requests to 127.0.0.1 or localhost." }
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, message: "The sandbox rejects requests from pages of other origins." }
  }
  // Exceptions: Esplora accepts a transaction as plain text. BlindPay accepts documents as forms, but with a header
  // that requires a CORS preflight.
  if (path === `${ESPLORA_PATH}/tx` || path === BLINDPAY_UPLOAD_PATH) return null
  return method === "POST" && !/^application\/json\s*(?:;|$)/iu.test(contentType)
    ? { status: 415, message: "The body is not declared as JSON. Send the header `content-type: application/json`." }
    : null
}

const MAX_BODY_BYTES = 32 * 1024 * 1024

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else reject(new SandboxError({ message: `The request body is larger than ${MAX_BODY_BYTES} bytes.` }))
    })
    request.on("error", reject)
    request.on("end", () => resolve(Buffer.concat(chunks).toString()))
  })

const JSON_HEADERS = { "content-type": "application/json" }

const respond = (
  response: ServerResponse,
  status: number,
  body: Buffer | string,
  headers: OutgoingHttpHeaders = JSON_HEADERS
): void => {
  response.writeHead(status, {
    ...headers,
    "x-content-type-options": "nosniff",
    "content-length": Buffer.byteLength(body)
  })
  response.end(body)
}

const chainIdOrNone = (path: string): EvmChainId | undefined => {
  const id = Number(/^\/chains\/(\d+)\/?$/u.exec(path)?.[1])
  return evmChainIds.find((chainId) => chainId === id)
}

const marketResponseOrNull = (network: SandboxNetwork, target: string): unknown => {
  const [path = "", query = ""] = target.split("?")
  return path.startsWith(`${MARKET_DATA_PATH}/`)
    ? coinGeckoResponseOrNull(
        path.slice(MARKET_DATA_PATH.length),
        new URLSearchParams(query),
        network.clock.nowSeconds() * 1_000
      )
    : null
}

const bookResponseOrNull = async ({ book }: SandboxBook, request: IncomingMessage) => {
  const { method = "GET", url = "/" } = request
  return url.startsWith(`${COW_PATH}/`)
    ? book.respond(method, url.slice(COW_PATH.length), method === "GET" ? "" : await bodyOf(request))
    : null
}

const bankResponse = async ({ bank, bridge }: SandboxBook, path: string, request: IncomingMessage) => {
  const { method = "GET", url = "/" } = request
  const { "api-key": apiKey, authorization, "idempotency-key": key } = request.headers
  const idempotencyKey = typeof key === "string" ? key : null
  const body = () => (method === "GET" ? "" : bodyOf(request))
  if (path.startsWith(`${BLINDPAY_PATH}/`))
    return bankResponseOrNull(bank, { method, path: url, authorization, key: idempotencyKey, text: await body() })
  if (!path.startsWith(`${BRIDGE_PATH}/`)) return null
  return bridgeResponse(bridge, {
    method,
    path: url.slice(BRIDGE_PATH.length),
    apiKey: typeof apiKey === "string" ? apiKey : null,
    idempotencyKey,
    body: await body()
  })
}

const acrossResponse = (network: SandboxNetwork, target: string) =>
  suggestedFees(new URLSearchParams(target.split("?")[1]), network.relayer.mode, network.clock.nowSeconds())

const thorNodeResponse = (network: SandboxNetwork, request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://sandbox")
  return request.method === "GET" && pathname.startsWith(`${THORNODE_PATH}/`)
    ? thorNodeResponseOrNull(network.thorchain, pathname.slice(THORNODE_PATH.length), searchParams)
    : Promise.resolve(null)
}

/** Emulators of aggregators that route through the pools of one chain, by API path. */
const routers: ReadonlyArray<readonly [string, ResponseOrNull]> = [
  [KYBERSWAP_PATH, kyberSwapResponseOrNull],
  [VELORA_PATH, veloraResponseOrNull]
]

const requestRouter = async (network: SandboxNetwork, request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://sandbox")
  const [prefix, responseOrNull] = routers.find(([path]) => pathname.startsWith(`${path}/`)) ?? []
  if (prefix === undefined || responseOrNull === undefined) return null
  return responseOrNull(
    { chain: (chainId) => network.chain(chainId), nowSeconds: () => network.clock.nowSeconds() },
    {
      method: request.method ?? "GET",
      path: pathname.slice(prefix.length),
      query: searchParams,
      body: await bodyOf(request)
    }
  )
}

const lifiResponse = async (network: SandboxNetwork, request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://sandbox")
  if (!pathname.startsWith(`${LIFI_PATH}/`)) return null
  const path = pathname.slice(LIFI_PATH.length)
  const chains = [searchParams.get("fromChain"), searchParams.get("toChain")]
  if (chains.includes(LIFI_BITCOIN)) {
    network.lifi.attend()
    if (request.method === "GET" && path === "/status") return statusResponse(network.lifi, searchParams)
  }
  return lifiResponseOrNull(
    {
      chain: (chainId) => network.chain(chainId),
      nowSeconds: () => network.clock.nowSeconds(),
      relayer: () => network.relayer.mode,
      bitcoin: network.lifi.bitcoinData
    },
    request.method ?? "GET",
    path,
    searchParams
  )
}

const handle = async (
  network: SandboxNetwork,
  book: SandboxBook,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const path = (request.url ?? "/").split("?")[0]!
  const chainId = chainIdOrNone(path)
  const controlRoute = controlRoutes[`${request.method} ${path}`]
  const refusal = refusalOrNull(request.method, path, request.headers)
  if (refusal !== null) return respond(response, refusal.status, JSON.stringify({ message: refusal.message }))
  if (chainId !== undefined && request.method === "POST") {
    const { status, body } = await network.chain(chainId).forward(await bodyOf(request))
    return respond(response, status, body)
  }
  if (controlRoute !== undefined) {
    const body = await bodyOf(request)
    return respond(
      response,
      200,
      JSON.stringify(await controlRoute(network, body === "" ? {} : JSON.parse(body), book))
    )
  }
  if (path.startsWith(`${ESPLORA_PATH}/`)) {
    const esploraPath = path.slice(ESPLORA_PATH.length)
    const esploraResponse = await network.bitcoin.forward(request.method ?? "GET", esploraPath, await bodyOf(request))
    return respond(response, esploraResponse.status, esploraResponse.body, esploraResponse.headers)
  }
  const orderBookResponse = await bookResponseOrNull(book, request)
  if (orderBookResponse !== null)
    return respond(response, orderBookResponse.status, JSON.stringify(orderBookResponse.body))
  const bankResult = await bankResponse(book, path, request)
  if (bankResult !== null) return respond(response, bankResult.status, JSON.stringify(bankResult.body))
  const routerResponse = await requestRouter(network, request)
  if (routerResponse !== null) return respond(response, routerResponse.status, JSON.stringify(routerResponse.body))
  const thorNodeResult = await thorNodeResponse(network, request)
  if (thorNodeResult !== null) return respond(response, thorNodeResult.status, JSON.stringify(thorNodeResult.body))
  const lifiResult = await lifiResponse(network, request)
  if (lifiResult !== null) return respond(response, lifiResult.status, JSON.stringify(lifiResult.body))
  const marketResult = request.method === "GET" ? marketResponseOrNull(network, request.url ?? "/") : null
  if (marketResult !== null) return respond(response, 200, JSON.stringify(marketResult))
  if (request.method === "GET" && path === `${ACROSS_PATH}/suggested-fees`) {
    const { body, status } = acrossResponse(network, request.url ?? "")
    return respond(response, status, JSON.stringify(body))
  }
  const page =
    request.method === "GET"
      ? ((await explorerResponseOrNull(network, path)) ?? (await bitcoinPageOrNull(network.bitcoin, path)))
      : null
  if (page !== null) return respond(response, page.status, page.body, explorerHeaders)
  respond(
    response,
    404,
    JSON.stringify({
      message: `The sandbox does not support ${request.method} ${path}. Send JSON-RPC by POST to /chains/<id>, where the id is one of ${evmChainIds.join(", ")}.`
    })
  )
}

const statusOf = (cause: unknown): number =>
  cause instanceof SandboxError || cause instanceof Schema.SchemaError || cause instanceof SyntaxError ? 400 : 502

/**
 * Serves each chain at the stable path `/chains/<id>`, although the address of its process changes. Transaction pages
 * are at `/chains/<id>/tx/<hash>`, and for Bitcoin at `/explorer/bitcoin/tx/<txid>`.
 */
export class Gateway {
  readonly url: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static open(network: SandboxNetwork, book: SandboxBook, port: number): Promise<Gateway> {
    const server = createServer((request, response) => {
      handle(network, book, request, response).catch((cause: unknown) => {
        const message = cause instanceof Error ? cause.message : String(cause)
        // JSON-RPC clients read `error`; the command line reads `message`.
        const error = { code: -32_000, message }
        if (!response.headersSent)
          respond(response, statusOf(cause), JSON.stringify({ jsonrpc: "2.0", id: null, error, message }))
        else response.destroy()
      })
    })
    server.keepAliveTimeout = 60_000
    return new Promise((resolve, reject) => {
      server.once("error", (cause: NodeJS.ErrnoException) =>
        reject(
          cause.code === "EADDRINUSE"
            ? new SandboxError({
                message:
                  `Port ${port} of 127.0.0.1 is in use, so the sandbox chains cannot be reached there. ` +
                  "Stop the process that uses it, or choose another port for the sandbox."
              })
            : cause
        )
      )
      server.listen(port, "127.0.0.1", () => resolve(new Gateway(server)))
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
