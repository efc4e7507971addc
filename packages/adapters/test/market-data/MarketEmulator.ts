import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { evmChainIds } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, type Scope } from "effect"
import { coinGeckoResponseOrNull } from "../../sandbox/market-data/coinGeckoResponse.ts"
import { sandboxPriceE6 } from "../../sandbox/market-data/sandboxPrices.ts"
import { coinGeckoIdOrNull, coinGeckoPlatforms } from "../../src/tokens/market-data/index.ts"
import { close, listen } from "../support/localServer.ts"

export type Source = "coingecko" | "defillama"

/** A fault that replaces the response to a request. */
export type MarketFault =
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter?: string }
  | { readonly _tag: "Text"; readonly text: string }
  /** Closes the connection without a response. */
  | { readonly _tag: "Drop" }
  /** Never responds. */
  | { readonly _tag: "Hang" }

export interface MarketRequest {
  readonly source: Source
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export interface MarketEmulator {
  readonly urls: Record<Source, string>
  readonly requests: ReadonlyArray<MarketRequest>
  /** The current time of the sources, in epoch milliseconds. */
  nowMs: number
  /** Multiplies the price of a token in a source's responses by a factor. */
  readonly lie: (source: Source, coin: string, factor: number) => void
  /** Sets faults for the next requests, one for each, in order. */
  readonly inject: (source: Source, ...faults: ReadonlyArray<MarketFault>) => void
  /** Completes when a request with the fault `Hang` has arrived. */
  readonly hanging: Effect.Effect<void>
  readonly reset: () => void
}

/** The names of chains in DefiLlama's documentation. */
const chainFromSlug: Readonly<Record<string, (typeof evmChainIds)[number]>> = {
  ethereum: 1,
  optimism: 10,
  bsc: 56,
  xdai: 100,
  polygon: 137,
  xlayer: 196,
  base: 8453,
  arbitrum: 42161,
  avax: 43114
}

const coinOf = (name: string): string => {
  const [slug = "", rest = ""] = name.split(":")
  if (slug === "coingecko") return rest
  const chainId = chainFromSlug[slug]
  if (chainId === undefined) return "unknown"
  const address = Address.make(rest)
  return coinGeckoIdOrNull({ chainId, address }) ?? `${coinGeckoPlatforms[chainId]}:${address}`
}

const priceEntry = (coin: string, seconds: number, factor: number) => {
  const priceE6 = sandboxPriceE6(coin, seconds * 1_000)
  return priceE6 === null ? null : { price: (Number(priceE6) / 1e6) * factor, timestamp: seconds, confidence: 0.99 }
}

const defiLlamaResponseOrNull = (
  path: string,
  query: URLSearchParams,
  nowMs: number,
  factorOf: (coin: string) => number
): unknown => {
  const coinNames = /^\/prices\/current\/(.+)$/u.exec(path)?.[1]
  if (coinNames !== undefined) {
    const coins = coinNames.split(",").flatMap((name) => {
      const price = priceEntry(coinOf(name), Math.floor(nowMs / 1_000), factorOf(coinOf(name)))
      return price === null ? [] : [[name, { symbol: "X", decimals: 18, ...price }]]
    })
    return { coins: Object.fromEntries(coins) }
  }
  if (path !== "/batchHistorical") return null
  const requestedTimes = Object.entries(JSON.parse(query.get("coins") ?? "{}") as Record<string, ReadonlyArray<number>>)
  const coins = requestedTimes.flatMap(([name, times]) => {
    const coin = coinOf(name)
    const prices = times.flatMap((seconds) => priceEntry(coin, seconds, factorOf(coin)) ?? [])
    return prices.length === 0 ? [] : [[name, { symbol: "X", prices }]]
  })
  return { coins: Object.fromEntries(coins) }
}

const multiplyPrices = (json: unknown, factor: number): unknown => {
  const text = JSON.stringify(json)
  const changedJson = JSON.parse(text, (key, value: unknown) =>
    key === "usd" && typeof value === "number" ? value * factor : value
  ) as { readonly prices?: ReadonlyArray<readonly [number, number | null]> }
  return changedJson.prices === undefined
    ? changedJson
    : { prices: changedJson.prices.map(([ms, usd]) => [ms, usd === null ? null : usd * factor]) }
}

/** Serves CoinGecko's and DefiLlama's HTTP APIs with the sandbox's prices on a free port. Stops with the scope. */
export const serveMarket: Effect.Effect<MarketEmulator, never, Scope.Scope> = Effect.gen(function* () {
  const faults: Record<Source, Array<MarketFault>> = { coingecko: [], defillama: [] }
  const priceFactors = new Map<string, number>()
  const requests: Array<MarketRequest> = []
  let resolveHanging = (): void => undefined
  let hangingRequest = new Promise<void>((resolve) => {
    resolveHanging = resolve
  })

  const responseOrNull = ({ path, query, source }: MarketRequest): unknown => {
    const factorOf = (coin: string) => priceFactors.get(`${source} ${coin}`) ?? 1
    if (source === "defillama") return defiLlamaResponseOrNull(path, query, emulator.nowMs, factorOf)
    const response = coinGeckoResponseOrNull(path, query, emulator.nowMs)
    const coin = /^\/coins\/([\w-]+)\//u.exec(path)?.[1] ?? query.get("ids") ?? "none"
    return response === null ? null : multiplyPrices(response, factorOf(coin))
  }

  const respond = (request: MarketRequest, response: ServerResponse): void => {
    const fault = faults[request.source].shift()
    if (fault?._tag === "Drop") return void response.destroy()
    if (fault?._tag === "Hang") return void resolveHanging()
    if (fault?._tag === "Status") {
      if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter)
      return void response.writeHead(fault.status).end('{"error":"no"}')
    }
    const body = fault?._tag === "Text" ? fault.text : responseOrNull(request)
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" })
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? { error: "coin not found" }))
  }

  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? "/", "http://x")
    const [, source = "", path = ""] = /^\/(coingecko|defillama)(\/.*)$/u.exec(decodeURIComponent(url.pathname)) ?? []
    const request = { source: source as Source, path, query: url.searchParams, headers: incoming.headers }
    requests.push(request)
    respond(request, response)
  })
  yield* Effect.acquireRelease(listen(server), () => close(server))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const emulator: MarketEmulator = {
    urls: { coingecko: `${baseUrl}/coingecko`, defillama: `${baseUrl}/defillama` },
    requests,
    nowMs: 0,
    lie: (source, coin, factor) => void priceFactors.set(`${source} ${coin}`, factor),
    inject: (source, ...newFaults) => void faults[source].push(...newFaults),
    hanging: Effect.promise(() => hangingRequest),
    reset: () => {
      requests.length = 0
      faults.coingecko.length = 0
      faults.defillama.length = 0
      priceFactors.clear()
      hangingRequest = new Promise<void>((resolve) => {
        resolveHanging = resolve
      })
    }
  }
  return emulator
})
