import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { Address, BitcoinAddress, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { BridgeFillStore, type OfferTerms, type SwapProvider } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { stringToHex } from "viem"
import type { ChainflipArgs } from "../../../../sandbox/aggregators/lifi-bitcoin/intoBitcoin.ts"
import { sandboxTokens } from "../../../../sandbox/index.ts"
import { inMemoryRequestCounts, noNodes } from "../../../../test/aggregators/inMemoryRequestCounts.ts"
import { type LiFiServer, startLiFiServer } from "../../../../test/aggregators/lifiServer.ts"
import { makeFillTimes } from "../../across/index.ts"
import { minAmountAtPrice, minPriceForAmount, readChainflipParameters } from "./chainflipParameters.ts"
import { LiFiProvider } from "./index.ts"

/** Chainflip parameters from Chainflip's own tests, with another address and price. */
const parametersWith = (refundTo: string, minPrice: bigint) => {
  const price = Buffer.from(minPrice.toString(16).padStart(64, "0"), "hex").reverse().toString("hex")
  const rest = "010100000003000000640000000000000000000000000000000000000000000000000000000000000000010000"
  return `0x0001000000${refundTo.slice(2)}${price}${rest}` as const
}

/** Tests transfers to Bitcoin over HTTP: the requests, and calls whose effects differ from the request. */

const USDC: Token = { ...sandboxTokens(1).find(({ symbol }) => symbol === "USDC")!, realWorldAsset: false }
const ETH: Token = { ...USDC, address: NATIVE_TOKEN, symbol: "ETH", decimals: 18 }
const [RECEIVER, THIEF] = [
  BitcoinAddress.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
  BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
]
const SENDER = Address.make(`0x${"aa".repeat(20)}`)
const terms: OfferTerms = {
  sender: SENDER,
  signer: Address.make(`0x${"cc".repeat(20)}`),
  recipient: RECEIVER,
  minAmountOut: 990_000n,
  deadline: 2_000_000_000
}
const request = {
  tokenIn: USDC,
  tokenOut: bitcoinToken,
  amountIn: 1_000_000_000n,
  limit: null,
  parties: { sender: SENDER, recipient: RECEIVER }
} as const

const scenario = (
  name: string,
  test: (server: LiFiServer, provider: SwapProvider) => Effect.Effect<unknown, unknown>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(Effect.promise(startLiFiServer), ({ stop }) => Effect.promise(stop))
      const provider = yield* LiFiProvider.make(
        { url: server.url, apiKey: null, integrator: "tests", timeoutMs: 60_000 },
        { hasAcross: true, isServed: () => true, hasBitcoinConnection: true, times: yield* makeFillTimes }
      )
      yield* test(server, provider)
    }).pipe(
      Effect.scoped,
      Effect.provide([inMemoryRequestCounts, noNodes, BridgeFillStore.layerMemory, Logger.layer([])])
    )
  )

const callsOf = Effect.fnUntraced(function* (provider: SwapProvider, changes: object = {}) {
  const { intent } = yield* provider.offer({ ...request, ...changes })
  return intent._tag === "Calls" ? yield* intent.buildCalls(terms) : yield* Effect.die("no calls")
})

describe("a swap to Bitcoin by LI.FI", () => {
  scenario("is a call between two allowances, to the receiver on Bitcoin", (server, provider) =>
    Effect.gen(function* () {
      const serves = (chainIdIn: 1 | 10) => provider.serves({ chainIdIn, chainIdOut: 0, isLimitOrder: false })
      assert.deepStrictEqual([serves(1), serves(10)], [true, false])
      assert.lengthOf(yield* callsOf(provider), 3)
      const query = Object.fromEntries(server.requests.at(-1)!.query)
      assert.deepInclude(query, {
        toChain: "20000000000001",
        toToken: "bitcoin",
        toAddress: RECEIVER,
        allowBridges: "chainflip",
        allowExchanges: "none"
      })
      const [sold, ...others] = yield* callsOf(provider, { tokenIn: ETH, amountIn: 10n ** 17n })
      assert.strictEqual(sold!.value, 10n ** 17n)
      assert.isEmpty(others)
      assert.match((yield* provider.offer(request)).notices!.join(), /only LI.FI reports/iu)
    })
  )

  const bridge =
    (changes: Partial<ChainflipArgs[0]>) =>
    ([first, second]: ChainflipArgs): ChainflipArgs => [{ ...first, ...changes }, second]
  const chainflip =
    (changes: Partial<ChainflipArgs[1]>) =>
    ([first, second]: ChainflipArgs): ChainflipArgs => [first, { ...second, ...changes }]
  const forgeries: ReadonlyArray<readonly [string, (args: ChainflipArgs) => ChainflipArgs, RegExp]> = [
    ["another receiver", chainflip({ nonEVMReceiver: stringToHex(THIEF) }), /another address/u],
    ["another asset", chainflip({ dstToken: 4 }), /asset 4/u],
    [
      "a refund to another address",
      chainflip({ cfParameters: `0x00640000${"7f".repeat(20)}` }),
      /refund address in Chainflip's parameters is not the wallet/u
    ],
    [
      "a lower price",
      chainflip({ cfParameters: parametersWith(terms.sender, (990n * (1n << 128n)) / 1_000_000n - 1n) }),
      /minimum output is 0.00989999 BTC/u
    ],
    [
      "a missing refund address",
      chainflip({ cfParameters: "0x" }),
      /refund address in Chainflip's parameters is not the wallet/u
    ],
    [
      "parameters of another version",
      chainflip({ cfParameters: `0x07${parametersWith(terms.sender, 1n << 120n).slice(4)}` }),
      /refund address in Chainflip's parameters is not the wallet/u
    ],
    ["another chain", bridge({ destinationChainId: 1n }), /destination is chain 1/u],
    ["a receiver on an EVM chain", bridge({ receiver: `0x${"7f".repeat(20)}` }), /on an EVM chain/u],
    ["a call on the destination chain", bridge({ hasDestinationCall: true }), /a call on an EVM chain/u],
    ["a source swap", bridge({ hasSourceSwaps: true }), /preceding swap/u],
    ["more of the token", bridge({ minAmount: 1_000_000_001n }), /sells 1000.000001 USDC/u],
    ["another token", bridge({ sendingAssetId: `0x${"7f".repeat(20)}` }), /instead of USDC/u]
  ]
  for (const [name, cheat, reason] of forgeries) {
    scenario(`is rejected for ${name}`, (server, provider) =>
      Effect.gen(function* () {
        server.cheatChainflip = cheat
        assert.match((yield* Effect.flip(callsOf(provider))).message, reason)
      })
    )
  }

  scenario("is rejected if less may arrive according to LI.FI", (server, provider) =>
    Effect.gen(function* () {
      server.minOut = 989_999n
      assert.match((yield* Effect.flip(callsOf(provider))).message, /minimum output is below the requested minimum/u)
    })
  )
})

describe("Chainflip parameters", () => {
  // From chainflip-backend, cf_parameters.rs, test_versioned_cf_parameters_v0: an address in the multi-chain format and
  // a price of zero.
  const publishedParameters =
    "0x00010000000002020202020202020202020202020202020202020000000000000000000000000000000000000000000000000000000000000000010100000003000000640000000000000000000000000000000000000000000000000000000000000000010000"
  const wallet = Address.make(`0x${"02".repeat(20)}`)

  it("are decoded with both address formats", () => {
    assert.deepStrictEqual(readChainflipParameters(publishedParameters, wallet), { refundTo: wallet, minPrice: 0n })
    const short = parametersWith(wallet, 1n << 100n)
    assert.deepStrictEqual(readChainflipParameters(short, wallet), { refundTo: wallet, minPrice: 1n << 100n })
  })

  it("are rejected for another wallet, or if they are truncated", () => {
    assert.isNull(readChainflipParameters(publishedParameters, SENDER))
    assert.isNull(readChainflipParameters(`0x${publishedParameters.slice(2, 80)}`, wallet))
  })

  it("contain a price that results in at least the requested minimum", () => {
    for (const [amount, minAmount] of [
      [1_000_000_000n, 990_000n],
      [10n ** 18n, 3_141_592n],
      [3n, 7n]
    ] as const) {
      assert.strictEqual(minAmountAtPrice(amount, minPriceForAmount(amount, minAmount)), minAmount)
    }
  })
})
