import { swapProviderContract } from "@countersign/core/contracts/trading/swap/provider/SwapProvider"
import { Address } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { BridgeFillStore, type OfferRequest, type OfferTerms, SwapProviders } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { concatHex, pad } from "viem"
import { SandboxChains, sandboxAggregators, sandboxTokens } from "../../../../sandbox/index.ts"
import { withAggregatorServer } from "../../../../test/aggregators/aggregatorServer.ts"
import { inMemoryRequestCounts, noNodes } from "../../../../test/aggregators/inMemoryRequestCounts.ts"
import { startVeloraServer } from "../../../../test/aggregators/veloraServer.ts"
import { bytesFromHex } from "../../../chains/evm/index.ts"
import { makeFillTimes } from "../../across/index.ts"
import { swapProvidersOf } from "../index.ts"
import { VeloraProvider } from "./index.ts"
import { minAmountOfAugustus, readVeloraCall } from "./readVeloraCall.ts"

const token = (symbol: string, chainId: 1 | 100 = 1): Token => ({
  ...sandboxTokens(chainId).find((listed) => listed.symbol === symbol)!,
  realWorldAsset: false
})

const request: OfferRequest = {
  tokenIn: token("USDC"),
  tokenOut: token("WETH"),
  amountIn: 1_000_000_000n,
  limit: null
}

/** A request on a chain that KyberSwap does not serve. */
const onGnosis: OfferRequest = { ...request, tokenIn: token("USDC", 100), tokenOut: token("WETH", 100) }

const unlistedToken = { ...onGnosis.tokenOut, address: Address.make(`0x${"de".repeat(20)}`) }

const [sender, other] = ["aa", "bb"].map((digits) => Address.make(`0x${digits.repeat(20)}`)) as [Address, Address]

const terms: OfferTerms = {
  sender,
  signer: Address.make(`0x${"cc".repeat(20)}`),
  recipient: other,
  minAmountOut: 990n,
  deadline: 2_000_000_000
}

const atGateway = Layer.effect(
  SwapProviders,
  Effect.gen(function* () {
    const settings = sandboxAggregators(yield* SandboxChains).filter(({ _tag }) => _tag === "Velora")
    const context = { hasAcross: true, isServed: () => true, hasBitcoinConnection: false, times: yield* makeFillTimes }
    return yield* swapProvidersOf(settings, context)
  })
).pipe(Layer.provide([SandboxChains.layerTemporary, inMemoryRequestCounts, BridgeFillStore.layerMemory, noNodes]))

// Augustus keeps one base unit, so the minimum in the calldata is one higher than requested.
swapProviderContract("Velora, by the sandbox's gateway", atGateway, {
  request: onGnosis,
  impossible: { ...onGnosis, tokenOut: unlistedToken },
  minIsExact: false
})

/** A response in the documented format, with numbers that would lose digits as floating-point numbers. */
const pricesResponse = (destAmount: string) =>
  `{"priceRoute":{"blockNumber":19462957,"network":1,"srcToken":"${request.tokenIn.address}","srcDecimals":6,"srcAmount":"${request.amountIn}","destToken":"${request.tokenOut.address.toUpperCase().replace("0X", "0x")}","destDecimals":18,"destAmount":"${destAmount}","bestRoute":[{"percent":100,"share":1.0,"big":12345678901234567890,"swaps":[]}],"side":"SELL","version":"6.2","contractMethod":"swapExactAmountIn","partnerFee":0,"hmac":"7975cda2fd343cb90f1a15d1ec11302c467a8d7d"}}`

const withServer = withAggregatorServer(
  startVeloraServer,
  (url) => VeloraProvider.make({ url, timeoutMs: 60_000 }),
  request
)

describe("Velora's API", () => {
  it.effect("is queried for the only supported method, and receives its own route with unchanged digits", () =>
    withServer((server, offer) =>
      Effect.gen(function* () {
        server.injected.push({ status: 200, text: pricesResponse("1001") })
        const quotedOffer = yield* offer()
        assert.deepStrictEqual([quotedOffer.amountOut, quotedOffer.certainty], [1_000n, "EXPECTED"])
        const { pathname, searchParams } = new URL(server.requests[0]!.target, server.url)
        assert.strictEqual(pathname, "/prices")
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          srcToken: request.tokenIn.address,
          srcDecimals: "6",
          destToken: request.tokenOut.address,
          destDecimals: "18",
          amount: "1000000000",
          side: "SELL",
          network: "1",
          version: "6.2",
          includeContractMethods: "swapExactAmountIn",
          excludeRFQ: "true"
        })
        if (quotedOffer.intent._tag !== "Calls") return assert.fail()
        server.injected.push({
          status: 400,
          text: '{"error":"It seems like the rate has changed, please re-query the latest Price"}'
        })
        const error = yield* Effect.flip(quotedOffer.intent.buildCalls(terms))
        assert.match(error.message, /its price has changed since/u)
        const { body, target } = server.requests[1]!
        assert.strictEqual(target, "/transactions/1?ignoreChecks=true")
        assert.include(body, '"share":1.0,"big":12345678901234567890')
        const { priceRoute: _, ...rest } = JSON.parse(body)
        assert.deepStrictEqual(rest, {
          srcToken: request.tokenIn.address,
          srcDecimals: 6,
          destToken: request.tokenOut.address,
          destDecimals: 18,
          srcAmount: "1000000000",
          destAmount: "991",
          userAddress: sender,
          receiver: other,
          deadline: 2_000_000_000
        })
      })
    )
  )

  for (const [status, text, reason] of [
    [400, '{"error":"No routes found with enough liquidity"}', /no route between these tokens/u],
    [
      400,
      '{"error":"ESTIMATED_LOSS_GREATER_THAN_MAX_IMPACT","value":"99.99%"}',
      /the price impact of this amount is too high/u
    ],
    [400, '{"error":"Bad USD price"}', /has no price for one of the tokens/u],
    [400, '{"error":"Amount 5 is too small to proceed"}', /the amount is too small/u],
    [400, '{"error":"Price Timeout"}', /no route: Price Timeout$/u],
    [400, '{"error":"<script>"}', /rejected the request with HTTP status 400/u],
    [404, "404 page not found", /rejected the request with HTTP status 404/u],
    [200, '{"error":"No routes found with enough liquidity"}', /no route between these tokens/u],
    [200, '{"priceRoute":{}}', /unexpected form/u],
    [200, "<html>", /not JSON/u],
    [500, '{"error":"Internal Error while computing the price"}', /HTTP status 500/u],
    [429, '{"error":"Too many requests"}', /limits the rate/u],
    [200, pricesResponse("1"), /output for this amount is zero/u],
    [
      200,
      pricesResponse("5").replace('"srcAmount":"1000000000"', '"srcAmount":"7"'),
      /for another swap than requested/u
    ]
  ] as const) {
    it.effect(`has a clear message for ${status} ${text.slice(0, 40)}`, () =>
      withServer((server, offer) =>
        Effect.gen(function* () {
          server.injected.push({ status, text })
          assert.match((yield* Effect.flip(offer())).message, reason)
        })
      )
    )
  }

  it.effect("serves eight chains, including Gnosis", () =>
    Effect.gen(function* () {
      const provider = yield* VeloraProvider.make({ url: null, timeoutMs: 1 })
      const servedChainIds = ([1, 10, 56, 100, 137, 196, 8453, 42161, 43114] as const).filter((chainId) =>
        provider.serves({ chainIdIn: chainId, chainIdOut: chainId, isLimitOrder: false })
      )
      assert.deepStrictEqual(servedChainIds, [1, 10, 56, 100, 137, 8453, 42161, 43114])
    })
  )
})

/** The example of Velora's API documentation, 1 USDC for DAI, with shortened executor data. */
const documentedCallData = bytesFromHex(
  concatHex([
    "0xe3ead59e",
    ...[
      "5f0000d4780a00d2dce0a00004000800cb0e5041",
      "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "6b175474e89094c44da98b954eedeac495271d0f",
      "f4240",
      "db4d11c67691ad5",
      "dd8426a4440caf1",
      "0a8104c26c244959a1d46f205acc49520000000000000000000000000133fc2c",
      "0",
      "100000000000000000000000",
      "160",
      "180",
      "0",
      "20",
      "20"
    ].map((word) => pad(`0x${word}`))
  ])
)

describe("a call of Augustus", () => {
  it("is decoded as in the API's documentation", () => {
    assert.deepStrictEqual(readVeloraCall(sender)(documentedCallData), {
      tokenIn: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
      tokenOut: Address.make("0x6b175474e89094c44da98b954eedeac495271d0f"),
      amountIn: 1_000_000n,
      recipient: sender,
      minAmountOut: 0xdb4d11c67691ad5n - 1n,
      faults: []
    })
  })

  it("guarantees the lower of its minimum and the quoted amount, minus one base unit", () => {
    assert.deepStrictEqual(
      [minAmountOfAugustus(7n, 9n), minAmountOfAugustus(9n, 7n), minAmountOfAugustus(1n, 0n)],
      [6n, 6n, 0n]
    )
  })
})
