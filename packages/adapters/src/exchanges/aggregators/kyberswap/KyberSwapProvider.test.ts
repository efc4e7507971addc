import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { swapProviderContract } from "@countersign/core/contracts/trading/swap/provider/SwapProvider"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { BridgeFillStore, type OfferRequest, type OfferTerms, SwapProviders } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SandboxChains, sandboxAggregators, sandboxTokens } from "../../../../sandbox/index.ts"
import { withAggregatorServer } from "../../../../test/aggregators/aggregatorServer.ts"
import { inMemoryRequestCounts, noNodes } from "../../../../test/aggregators/inMemoryRequestCounts.ts"
import { type KyberSwapServer, startKyberSwapServer } from "../../../../test/aggregators/kyberSwapServer.ts"
import { close, listen } from "../../../../test/support/localServer.ts"
import { makeFillTimes } from "../../across/index.ts"
import { swapProvidersOf } from "../index.ts"
import { KyberSwapProvider } from "./index.ts"

const token = (symbol: string): Token => ({
  ...sandboxTokens(1).find((listed) => listed.symbol === symbol)!,
  realWorldAsset: false
})

const request: OfferRequest = {
  tokenIn: token("USDC"),
  tokenOut: token("WETH"),
  amountIn: 1_000_000_000n,
  limit: null
}

const unlistedToken = { ...token("WETH"), address: Address.make(`0x${"de".repeat(20)}`) }

swapProviderContract(
  "KyberSwap, by the sandbox's gateway",
  Layer.effect(
    SwapProviders,
    Effect.gen(function* () {
      const settings = sandboxAggregators(yield* SandboxChains)
      const context = {
        hasAcross: true,
        isServed: () => true,
        hasBitcoinConnection: false,
        times: yield* makeFillTimes
      }
      return yield* swapProvidersOf(settings, context)
    })
  ).pipe(Layer.provide([SandboxChains.layerTemporary, inMemoryRequestCounts, BridgeFillStore.layerMemory, noNodes])),
  { request, impossible: { ...request, tokenOut: unlistedToken }, minIsExact: false }
)

/** A response in the documented format, with numbers that would lose digits as floating-point numbers. */
const routesResponse = (amountOut: string) =>
  `{"code":0,"message":"successfully","data":{"routeSummary":{"tokenIn":"${request.tokenIn.address.toUpperCase().replace("0X", "0x")}","amountIn":"${request.amountIn}","amountInUsd":"999.5","tokenOut":"${request.tokenOut.address}","amountOut":"${amountOut}","extraFee":{"feeAmount":"0"},"share":1.0,"big":12345678901234567890,"route":[[]],"checksum":"7","timestamp":1},"routerAddress":"0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"},"requestId":"r"}`

const terms: OfferTerms = {
  sender: Address.make(`0x${"aa".repeat(20)}`),
  signer: Address.make(`0x${"cc".repeat(20)}`),
  recipient: Address.make(`0x${"bb".repeat(20)}`),
  minAmountOut: 990n,
  deadline: 2_000_000_000
}

const serverWith = (requestsPerSecond: number) =>
  withAggregatorServer(
    startKyberSwapServer,
    (url) => KyberSwapProvider.make({ url, clientId: "tests", requestsPerSecond, timeoutMs: 60_000 }),
    request
  )
const withServer = serverWith(1_000)

const injectResponse = (server: KyberSwapServer, status: number, text: string, retryAfter?: string) =>
  void server.injected.push({ status, text, ...(retryAfter === undefined ? {} : { retryAfter }) })

describe("KyberSwap's API", () => {
  it.effect("receives the chain's slug, the client id, and its own route with unchanged digits", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        injectResponse(server, 200, routesResponse("1000"))
        const quotedOffer = yield* offer()
        assert.deepStrictEqual([quotedOffer.amountOut, quotedOffer.certainty], [1_000n, "EXPECTED"])
        assert.match(
          server.requests[0]!.target,
          /^\/ethereum\/api\/v1\/routes\?tokenIn=0xa0b8\w+&tokenOut=0xc02a\w+&amountIn=1000000000$/u
        )
        assert.strictEqual(server.requests[0]!.headers["x-client-id"], "tests")
        injectResponse(server, 400, '{"code":4227,"message":"return amount is not enough"}')
        assert.isTrue(quotedOffer.intent._tag === "Calls")
        if (quotedOffer.intent._tag !== "Calls") return
        const error = yield* Effect.flip(quotedOffer.intent.buildCalls(terms))
        assert.match(error.message, /the swap can no longer be executed/u)
        const { body, target } = server.requests[1]!
        assert.strictEqual(target, "/ethereum/api/v1/route/build")
        assert.include(body, '"share":1.0,"big":12345678901234567890')
        assert.include(body, '"slippageTolerance":100')
        assert.include(body, `"recipient":"${terms.recipient}"`)
        assert.include(body, '"deadline":2000000000')
      })
    )
  )

  it.effect("is queried for another route if the minimum of the first one is too low", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        injectResponse(server, 200, routesResponse("989"))
        const quotedOffer = yield* offer()
        if (quotedOffer.intent._tag !== "Calls") return assert.fail()
        assert.match(
          (yield* Effect.flip(quotedOffer.intent.buildCalls(terms))).message,
          /current output is below the requested minimum/u
        )
        assert.lengthOf(server.requests, 1)
      })
    )
  )

  for (const [status, text, reason] of [
    [400, '{"code":4008,"message":"route not found"}', /no route between these tokens/u],
    [400, '{"code":4011,"message":"token not found"}', /does not support one of the tokens/u],
    [422, '{"code":4221,"message":"WETH not found"}', /does not support the wrapped native token/u],
    [404, "404 page not found", /rejected the request with HTTP status 404/u],
    [400, '{"code":4999,"message":"<script>"}', /rejected the request with code 4999/u],
    [200, '{"code":4010,"message":"no pools"}', /no pool contains these tokens/u],
    [200, '{"code":0,"data":{}}', /unexpected format/u],
    [200, "<html>", /not JSON/u],
    [500, '{"code":500}', /HTTP status 500/u],
    [429, '{"message":"slow down"}', /limits the rate/u],
    [200, routesResponse("0"), /output for this amount is zero/u],
    [200, routesResponse("1e30"), /unexpected format/u],
    [200, routesResponse("-5"), /unexpected format/u],
    [200, routesResponse("9".repeat(78)), /unexpected format/u],
    [200, routesResponse("5").replace("[[]]", "[".repeat(50_000) + "]".repeat(50_000)), /not JSON/u],
    [200, " ".repeat(50_000_000), /more than 1 MB/u],
    [200, routesResponse("5").replace('"amountIn":"1000000000"', '"amountIn":"7"'), /for another swap than requested/u]
  ] as const) {
    it.effect(`has a clear message for ${status} ${text.slice(0, 30)}`, () =>
      withServer((server, offer) =>
        Effect.gen(function* () {
          injectResponse(server, status, text)
          assert.match((yield* Effect.flip(offer())).message, reason)
        })
      )
    )
  }

  it.effect("gets no request for the time of its Retry-After header", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        injectResponse(server, 429, "{}", "120")
        yield* Effect.flip(offer())
        assert.match((yield* Effect.flip(offer())).message, /next request is sent in 120 s/u)
        assert.lengthOf(server.requests, 1)
      })
    )
  )

  it.live("delays quotes until its timeout, and then backs off", () =>
    Effect.gen(function* () {
      // Accepts connections but never responds.
      const silentServer = createServer()
      yield* Effect.acquireRelease(listen(silentServer), () => close(silentServer))
      const { port } = silentServer.address() as AddressInfo
      const provider = yield* KyberSwapProvider.make({
        url: `http://127.0.0.1:${port}`,
        clientId: "tests",
        requestsPerSecond: 1_000,
        timeoutMs: 100
      })
      const messages: Array<string> = []
      for (let i = 1n; i <= 4n; i++) {
        messages.push((yield* Effect.flip(provider.offer({ ...request, amountIn: i }))).message)
      }
      for (const message of messages.slice(0, 3)) assert.match(message, /no response within 100 ms/u)
      assert.match(messages[3]!, /next request is sent in \d+ s/u)
    }).pipe(Effect.scoped)
  )

  it.effect("gets one HTTP request for identical concurrent quote requests", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        injectResponse(server, 200, routesResponse("1000"))
        const offers = yield* Effect.all([offer(), offer()], { concurrency: 2 })
        assert.deepStrictEqual(
          offers.map(({ amountOut }) => amountOut),
          [1_000n, 1_000n]
        )
        assert.lengthOf(server.requests, 1)
      })
    )
  )

  it.live("gets no request above its rate limit, and quotes wait no longer than their timeout", () =>
    serverWith(1)((server, offer) =>
      Effect.gen(function* () {
        for (let i = 0; i < 5; i++) injectResponse(server, 400, '{"code":4008}')
        const asks = [1n, 2n, 3n, 4n].map((amountIn) => Effect.flip(offer({ amountIn })))
        const errors = yield* Effect.all(asks, { concurrency: 4 })
        const busyErrors = errors.filter(({ message }) => /too many requests to it are pending/u.test(message))
        assert.lengthOf(busyErrors, 2)
        assert.lengthOf(server.requests, 2)
      })
    )
  )

  it.effect("is queried again if a route is older than five seconds", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        injectResponse(server, 200, routesResponse("1000"))
        const quotedOffer = yield* offer()
        assert.strictEqual(yield* quotedOffer.requoteAmount(request.amountIn), quotedOffer)
        yield* TestClock.adjust(5_000)
        injectResponse(server, 200, routesResponse("1001"))
        assert.strictEqual((yield* quotedOffer.requoteAmount(request.amountIn)).amountOut, 1_001n)
        assert.lengthOf(server.requests, 2)
      })
    )
  )

  it.effect("serves seven chains, and has no cross-chain routes", () =>
    Effect.gen(function* () {
      const provider = yield* KyberSwapProvider.make({
        url: null,
        clientId: "tests",
        requestsPerSecond: 3,
        timeoutMs: 1
      })
      const serves = ([1, 10, 56, 100, 137, 196, 8453, 42161, 43114] as const).filter((chainId) =>
        provider.serves({ chainIdIn: chainId, chainIdOut: chainId, isLimitOrder: false })
      )
      assert.deepStrictEqual(serves, [1, 10, 56, 137, 8453, 42161, 43114])
      assert.isFalse(provider.serves({ chainIdIn: 1, chainIdOut: 10, isLimitOrder: false }))
      assert.isFalse(provider.serves({ chainIdIn: 1, chainIdOut: 1, isLimitOrder: true }))
      const nativeToken = { ...request.tokenOut, chainId: 10 as const, address: NATIVE_TOKEN }
      assert.match(
        (yield* Effect.flip(provider.offer({ ...request, tokenOut: nativeToken }))).message,
        /no cross-chain routes/u
      )
    })
  )
})
