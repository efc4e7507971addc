import { swapProviderContract } from "@countersign/core/contracts/trading/swap/provider/SwapProvider"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import {
  BridgeFillStore,
  type OfferRequest,
  type OfferTerms,
  type SwapProvider,
  SwapProviders
} from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { encodeFunctionData, erc20Abi, maxUint256, pad } from "viem"
import { SandboxChains, sandboxAggregators, sandboxTokens } from "../../../../sandbox/index.ts"
import { inMemoryRequestCounts, noNodes } from "../../../../test/aggregators/inMemoryRequestCounts.ts"
import { type LiFiServer, startLiFiServer } from "../../../../test/aggregators/lifiServer.ts"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { makeFillTimes } from "../../across/index.ts"
import { swapProvidersOf } from "../index.ts"
import { feeAbi } from "./abi.ts"
import { LiFiProvider } from "./index.ts"

const token = (symbol: string): Token => ({
  ...sandboxTokens(1).find((listed) => listed.symbol === symbol)!,
  realWorldAsset: false
})
const nativeToken: Token = { ...token("WETH"), address: NATIVE_TOKEN, symbol: "ETH" }
const request: OfferRequest = { tokenIn: token("USDC"), tokenOut: token("WETH"), amountIn: 40_000n, limit: null }
const THIEF = `0x${"7f".repeat(20)}` as const
const { diamond, feeCollector, feeForwarder } = deploymentOf(1).lifi

const terms: OfferTerms = {
  sender: Address.make(`0x${"aa".repeat(20)}`),
  signer: Address.make(`0x${"cc".repeat(20)}`),
  recipient: Address.make(`0x${"bb".repeat(20)}`),
  minAmountOut: 990_000n,
  deadline: 2_000_000_000
}

swapProviderContract(
  "LI.FI, by the sandbox's gateway",
  Layer.effect(
    SwapProviders,
    Effect.gen(function* () {
      const settings = sandboxAggregators(yield* SandboxChains).filter(({ _tag }) => _tag === "LiFi")
      return yield* swapProvidersOf(settings, {
        hasAcross: true,
        isServed: () => true,
        hasBitcoinConnection: false,
        times: yield* makeFillTimes
      })
    })
  ).pipe(Layer.provide([SandboxChains.layerTemporary, inMemoryRequestCounts, BridgeFillStore.layerMemory, noNodes])),
  {
    request: { ...request, amountIn: 1_000_000_000n },
    impossible: { ...request, tokenOut: { ...token("WETH"), address: Address.make(`0x${"de".repeat(20)}`) } },
    minIsExact: false,
    takesItsTimeFromTheBlock: true
  }
)

const withServer = <A, E>(
  test: (server: LiFiServer, provider: SwapProvider) => Effect.Effect<A, E>,
  apiKey: string | null = "a-key"
) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(Effect.promise(startLiFiServer), ({ stop }) => Effect.promise(stop))
    const key = apiKey === null ? null : Redacted.make(apiKey)
    const provider = yield* LiFiProvider.make(
      { url: server.url, apiKey: key, integrator: "tests", timeoutMs: 60_000 },
      {
        hasAcross: true,
        isServed: (chainId) => chainId !== 10,
        hasBitcoinConnection: false,
        times: yield* makeFillTimes
      }
    )
    return yield* test(server, provider)
  }).pipe(
    Effect.scoped,
    Effect.provide([inMemoryRequestCounts, noNodes, BridgeFillStore.layerMemory, Logger.layer([])])
  )

const callsOf = (provider: SwapProvider, fields: Partial<OfferRequest> = {}) =>
  Effect.flatMap(provider.offer({ ...request, ...fields }), ({ intent }) =>
    intent._tag === "Calls" ? intent.buildCalls(terms) : Effect.die(new Error("no calls"))
  )

describe("LI.FI's API", () => {
  it.effect("receives the wallet and the receiver, and its call is between an approval and a revocation", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        const calls = yield* callsOf(provider)
        assert.deepStrictEqual(
          calls.map(({ to }) => to),
          [request.tokenIn.address, diamond, request.tokenIn.address]
        )
        assert.match(calls[0]!.data, new RegExp(`^0x095ea7b3.*${diamond.slice(2)}.*9c40$`, "u"))
        assert.match(calls[2]!.data, new RegExp(`^0x095ea7b3.*${diamond.slice(2)}0{64}$`, "u"))
        const [first, second] = server.requests
        assert.strictEqual(first!.headers["x-lifi-api-key"], "a-key")
        const parameters = Object.fromEntries(second!.query)
        assert.deepStrictEqual(parameters, {
          fromChain: "1",
          toChain: "1",
          fromToken: request.tokenIn.address,
          toToken: request.tokenOut.address,
          fromAmount: "40000",
          fromAddress: terms.sender,
          toAddress: terms.recipient,
          slippage: "0.01",
          integrator: "tests",
          order: "CHEAPEST",
          skipSimulation: "true",
          allowDestinationCall: "false"
        })
      })
    )
  )

  it.effect("sells and buys the native token", () =>
    withServer((_server, provider) =>
      Effect.gen(function* () {
        const [sold, ...others] = yield* callsOf(provider, { tokenIn: nativeToken, tokenOut: token("USDC") })
        assert.strictEqual(sold!.value, request.amountIn)
        assert.isEmpty(others)
        assert.lengthOf(yield* callsOf(provider, { tokenOut: nativeToken }), 3)
      })
    )
  )

  for (const [status, text, reason] of [
    [404, '{"message":"No available quotes for the requested transfer","code":1002}', /No available quotes for the/u],
    [
      404,
      JSON.stringify({
        message: "No available quotes",
        code: 1002,
        errors: {
          filteredOut: [{ overallPath: "a", reason: "The price impact is too high" }],
          failed: [
            {
              overallPath: "b",
              subpaths: { x: [{ errorType: "NO_QUOTE", code: "INSUFFICIENT_LIQUIDITY", tool: "fly" }] }
            }
          ]
        }
      }),
      /fly: INSUFFICIENT_LIQUIDITY; The price impact is too high/u
    ],
    [400, '{"message":"<img src=x onerror=alert(1)>","code":1011}', /rejected the request with HTTP status 400/u],
    [424, '{"message":"Third party error","code":1008}', /Third party error/u],
    [500, "{}", /HTTP status 500/u],
    [200, '{"estimate":{"toAmount":"-1"}}', /unexpected format/u],
    [200, "oops", /not JSON/u]
  ] as const) {
    it.effect(`has a clear message for ${status} ${text.slice(0, 32)}`, () =>
      withServer((server, provider) =>
        Effect.gen(function* () {
          server.injected.push({ status, text })
          assert.match((yield* Effect.flip(provider.offer(request))).message, reason)
        })
      )
    )
  }

  it.effect("gets no request for the time of its Retry-After header", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        server.injected.push({ status: 429, text: "{}", retryAfter: "90" })
        assert.match((yield* Effect.flip(provider.offer(request))).message, /limits the rate/u)
        assert.match((yield* Effect.flip(provider.offer(request))).message, /next request is sent in 90 s/u)
        assert.lengthOf(server.requests, 1)
      })
    )
  )

  it.effect("is queried for at most 75 quotes in two hours if there is no key", () =>
    withServer(
      (server, provider) =>
        Effect.gen(function* () {
          for (let i = 1n; i <= 75n; i++) yield* provider.offer({ ...request, amountIn: 1_000n + i })
          const error = yield* Effect.flip(provider.offer(request))
          assert.match(
            error.message,
            /its limit of 75 quotes in two hours is reached; the next quotes are possible in \d+ min/u
          )
          assert.lengthOf(server.requests, 75)
        }),
      null
    )
  )

  it.effect("gets one request for the same amount of a quote", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        const offer = yield* provider.offer(request)
        assert.strictEqual(yield* offer.requoteAmount(request.amountIn), offer)
        if (offer.intent._tag !== "Calls") return assert.fail()
        const calls = yield* offer.intent.buildCalls(terms)
        assert.strictEqual(yield* offer.intent.buildCalls({ ...terms, deadline: terms.deadline + 60 }), calls)
        assert.lengthOf(server.requests, 2)
      })
    )
  )
})

type Change = Partial<Pick<LiFiServer, "cheat" | "cheatTransaction">>

const fees = (functionName: "forwardERC20Fees" | "collectTokenFees", amount: bigint, others = 0n) =>
  functionName === "forwardERC20Fees"
    ? encodeFunctionData({
        abi: feeAbi,
        functionName,
        args: [request.tokenIn.address, [{ recipient: THIEF, amount }]]
      })
    : encodeFunctionData({ abi: feeAbi, functionName, args: [request.tokenIn.address, others, amount, THIEF] })

const withStep = (index: number, fields: object): Change => ({
  cheat: (route) => ({ ...route, steps: route.steps.map((step, i) => (i === index ? { ...step, ...fields } : step)) })
})

/** A step that deposits another token, in a call that also sends the native token. */
const tokenBesidesNativeToken = withStep(1, {
  requiresDeposit: true,
  sendingAssetId: token("DAI").address,
  fromAmount: 10n ** 20n
})

const forgeries: ReadonlyArray<readonly [string, Change, RegExp]> = [
  ["another receiver", { cheat: (route) => ({ ...route, receiver: THIEF }) }, /its output goes to 0x7f/u],
  ["a lower minimum output", { cheat: (route) => ({ ...route, minAmountOut: 989_999n }) }, /minimum output is/u],
  ["a larger amount", withStep(0, { fromAmount: 40_001n }), /it sells 0\.040001 USDC instead of 0\.04 USDC/u],
  ["a second deposit", withStep(1, { requiresDeposit: true }), /it sells 0\.0799 USDC instead of 0\.04 USDC/u],
  [
    "another token in addition",
    withStep(1, { requiresDeposit: true, sendingAssetId: token("DAI").address, fromAmount: 0n }),
    /takes 0x6B17.*which is not the sold token/iu
  ],
  [
    "another token to buy",
    withStep(1, { receivingAssetId: token("DAI").address }),
    /it buys 0x6b17.* instead of WETH/u
  ],
  ["a contract that is not on the list", withStep(1, { callTo: THIEF }), /calls 0x7f.* not on the list/u],
  ["a spender that is not on the list", withStep(1, { approveTo: THIEF }), /calls 0x7f.* not on the list/u],
  ["more fees than it takes", withStep(0, { callData: fees("forwardERC20Fees", 121n) }), /more than LI\.FI charges/u],
  [
    "a fee for an unknown receiver",
    withStep(0, { callTo: feeCollector, callData: fees("collectTokenFees", 1n, 5n) }),
    /a fee of 5 base units that was not requested/u
  ],
  [
    "a contract for fees that does something else",
    withStep(0, { callData: "0x12345678" }),
    /can't be decoded as a fee/u
  ],
  ["native tokens in addition", { cheatTransaction: (built) => ({ ...built, value: "0x5" }) }, /sends 5 wei/u],
  ["another target", { cheatTransaction: (built) => ({ ...built, to: THIEF }) }, /goes to 0x7f.*not its router/u],
  [
    "an infinite approval instead of a swap",
    {
      cheatTransaction: (built) => ({
        ...built,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [THIEF, maxUint256] })
      })
    },
    /can't be decoded as a swap/u
  ],
  [
    "a truncated call",
    { cheatTransaction: (built) => ({ ...built, data: `0x${built.data.slice(2, 400)}` }) },
    /can't be decoded as a swap/u
  ]
]

describe("a hostile LI.FI", () => {
  for (const [name, change, reason] of forgeries) {
    it.effect(`is rejected before any execution: ${name}`, () =>
      withServer((server, provider) =>
        Effect.gen(function* () {
          Object.assign(server, change)
          assert.match((yield* Effect.flip(callsOf(provider))).message, reason)
        })
      )
    )
  }

  it.effect("is rejected if it takes a token in addition to the sold native token", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        Object.assign(server, tokenBesidesNativeToken)
        const error = yield* Effect.flip(callsOf(provider, { tokenIn: nativeToken, tokenOut: token("USDC") }))
        assert.match(error.message, /takes 0x6B17.*which is not the sold token/iu)
      })
    )
  )

  it.effect("may charge its own fee through either fee contract", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        for (const [callTo, callData] of [
          [feeCollector, fees("collectTokenFees", 100n)],
          [feeForwarder, fees("forwardERC20Fees", 120n)]
        ]) {
          Object.assign(server, withStep(0, { callTo, callData }))
          assert.lengthOf(yield* callsOf(provider), 3)
        }
      })
    )
  )
})

const usdcOnBase: Token = {
  ...token("USDC"),
  chainId: 8453,
  address: sandboxTokens(8453).find(({ symbol }) => symbol === "USDC")!.address
}
const toBase = { tokenOut: usdcOnBase, amountIn: 1_010_000n }

type Bridge = NonNullable<LiFiServer["cheatBridge"]>

const withBridge =
  (fields: object): Bridge =>
  ([bridge, across]) => [{ ...bridge, ...fields }, across]
const withAcross =
  (fields: object): Bridge =>
  ([bridge, across]) => [bridge, { ...across, ...fields }]

const bridgeCheats: ReadonlyArray<readonly [string, Bridge, RegExp]> = [
  ["another receiver", withBridge({ receiver: THIEF }), /its output goes to 0x7f/u],
  ["another receiver at the bridge", withAcross({ receiverAddress: pad(THIEF) }), /Across would pay 0x7f/u],
  ["refunds to an unknown receiver", withAcross({ refundAddress: pad(THIEF) }), /a refund would go to 0x7f/u],
  ["a lower minimum", withAcross({ outputAmount: 989_999n }), /minimum output is 0\.989999 USDC/u],
  ["no floor", withAcross({ outputAmount: 0n }), /minimum output is 0 USDC/u],
  ["another chain", withBridge({ destinationChainId: 10n }), /destination is chain 10 instead of 8453/u],
  ["a call on the other chain", withAcross({ message: "0x1234" }), /makes a call on the destination chain/u],
  ["another token there", withAcross({ receivingAssetId: pad(THIEF) }), /it buys 0x7f.* instead of USDC/u],
  [
    "a receiver that is not an address",
    withAcross({ receiverAddress: `0x${"ff".repeat(32)}` }),
    /Across would pay null/u
  ],
  ["another token here", withAcross({ sendingAssetId: pad(THIEF) }), /it bridges 0x7f/u],
  ["a larger amount", withBridge({ minAmount: 1_010_001n }), /it sells 1\.010001 USDC instead of/u],
  ["a deadline that has passed", withAcross({ fillDeadline: 1_999_999_999 }), /its fill deadline expires/u],
  ["an exclusive relayer for an hour", withAcross({ exclusivityParameter: 3_600 }), /only one relayer could fill it/u],
  [
    "an exclusive relayer until the deadline",
    withAcross({ exclusivityParameter: 2_000_007_200 }),
    /only one relayer could fill it for 8200 seconds/u
  ],
  ["a swap that the call does not make", withBridge({ hasSourceSwaps: true }), /flag `hasSourceSwaps` is wrong/u],
  ["an output above the deposit", withAcross({ outputAmount: 1_010_001n }), /no relayer would fill it/u]
]

describe("LI.FI between two chains", () => {
  it.effect("is queried for Across only, and reads the destination chain's head", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        assert.isTrue(provider.serves({ chainIdIn: 1, chainIdOut: 8453, isLimitOrder: false }))
        assert.isFalse(provider.serves({ chainIdIn: 1, chainIdOut: 196, isLimitOrder: false }))
        assert.isFalse(provider.serves({ chainIdIn: 1, chainIdOut: 10, isLimitOrder: false }))
        const offer = yield* provider.offer({ ...request, ...toBase })
        assert.deepStrictEqual(
          offer.stages.map(({ status }) => status),
          ["ON_BRIDGE"]
        )
        assert.isAbove(offer.executionSeconds, 12)
        assert.lengthOf(yield* callsOf(provider, toBase), 3)
        const { query } = server.requests[0]!
        assert.deepStrictEqual([query.get("allowBridges"), query.get("allowExchanges")], ["across", null])
      })
    )
  )

  it.effect("does not offer native tokens on another chain, because they may arrive wrapped", () =>
    withServer((_server, provider) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(provider.offer({ ...request, tokenOut: { ...nativeToken, chainId: 8453 } }))
        assert.match(error.message, /depending on the receiver's code/u)
      })
    )
  )

  for (const [name, cheatBridge, reason] of bridgeCheats) {
    it.effect(`is rejected before any execution: ${name}`, () =>
      withServer((server, provider) =>
        Effect.gen(function* () {
          Object.assign(server, { cheatBridge })
          assert.match((yield* Effect.flip(callsOf(provider, toBase))).message, reason)
        })
      )
    )
  }

  it.effect("is rejected for a bridge whose calldata contain no minimum output", () =>
    withServer((server, provider) =>
      Effect.gen(function* () {
        Object.assign(server, { cheatTransaction: (built: object) => ({ ...built, data: "0x1794958f" }) })
        assert.match((yield* Effect.flip(callsOf(provider, toBase))).message, /not a transfer by Across/u)
      })
    )
  )
})
