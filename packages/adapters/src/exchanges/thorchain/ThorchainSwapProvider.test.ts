import { BitcoinChain, bitcoinToken } from "@countersign/core/bitcoin/chain"
import { Address, BitcoinAddress, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { OfferTerms, SwapProvider } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { honestResponses, inboundsWith, thorNodeServer, VAULT } from "../../../test/thorchain/thorNodeServer.ts"
import { BitcoinjsTransactions } from "../../chains/bitcoin/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { make } from "./ThorchainSwapProvider.ts"

/** Tests the requests to THORChain over HTTP, and the verification of its responses. */

const USDC: Token = {
  chainId: 1,
  address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
  name: "USD Coin",
  symbol: "USDC",
  decimals: 6,
  realWorldAsset: false
}
const ETH: Token = { ...USDC, address: NATIVE_TOKEN, symbol: "ETH", decimals: 18 }
const RECEIVER = Address.make(`0x${"ab".repeat(20)}`)

const terms: OfferTerms = {
  sender: BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
  signer: BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
  recipient: RECEIVER,
  minAmountOut: 945_250_001n,
  deadline: 2_000_000_000
}

type Server = Effect.Success<typeof thorNodeServer>["state"]

const layerWithContract = (code: string) =>
  Layer.mergeAll(
    Layer.mock(BitcoinChain, {}),
    BitcoinjsTransactions.layer,
    Layer.succeed(RpcClients, {
      call: (_chainId: number, ask: () => Promise<unknown>) => Effect.promise(ask),
      request: () => Promise.resolve(code)
    } as unknown as RpcClients["Service"])
  )

const scenario = (
  name: string,
  test: (provider: SwapProvider, server: Server) => Effect.Effect<unknown, unknown>,
  code = "0x"
) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { state, url } = yield* thorNodeServer
      const provider = yield* make({ url, timeoutMs: 60_000, isServed: (chainId) => chainId !== 56 })
      yield* test(provider, state)
    }).pipe(Effect.provide(layerWithContract(code)), Effect.scoped)
  )

const swapRequest = { tokenIn: bitcoinToken, tokenOut: USDC, amountIn: 1_000_000n, limit: null } as const

const paymentOf = Effect.fnUntraced(function* (provider: SwapProvider, request: object = {}, changes: object = {}) {
  const offer = yield* provider.offer({ ...swapRequest, ...request })
  assert.isTrue(offer.intent._tag === "BitcoinPayment")
  if (offer.intent._tag !== "BitcoinPayment") return yield* Effect.die("no payment")
  return yield* offer.intent.buildPayment({ ...terms, ...changes })
})

const refusal = (effect: Effect.Effect<unknown, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a swap by THORChain", () => {
  scenario("is offered with its fees, and does not send the receiver to THORNode", (provider, { asked: requests }) =>
    Effect.gen(function* () {
      assert.isTrue(provider.serves({ chainIdIn: 0, chainIdOut: 1, isLimitOrder: false }))
      for (const [chainIdIn, chainIdOut, isLimitOrder] of [
        [0, 10, false],
        [0, 56, false],
        [0, 1, true],
        [1, 0, false]
      ] as const) {
        assert.isFalse(provider.serves({ chainIdIn, chainIdOut, isLimitOrder }))
      }
      const offer = yield* provider.offer(swapRequest)
      assert.strictEqual(offer.amountOut, 950_000_000n)
      assert.strictEqual(offer.executionSeconds, 1_260)
      assert.deepStrictEqual(
        offer.fees.map(({ amount, type }) => [type, amount]),
        [
          ["PROVIDER", 1_200_000n],
          ["PROVIDER", 987_655n]
        ]
      )
      const quote = requests.find(({ pathname }) => pathname === "/thorchain/quote/swap")!
      assert.deepStrictEqual([...quote.searchParams.keys()], ["from_asset", "to_asset", "amount"])
    })
  )

  scenario("pays the vault in its first output and contains the order in a memo of 80 bytes", (provider) =>
    Effect.gen(function* () {
      const { confirmations, minFeeRate, outputs } = yield* paymentOf(provider)
      assert.deepStrictEqual([confirmations, minFeeRate], [2, 4_000n])
      assert.deepInclude(outputs[0], { role: "VAULT", address: BitcoinAddress.make(VAULT), value: 1_000_000n })
      assert.strictEqual(outputs[1]!.memo, `=:ETH.USDC-9EB0CE3606EB48:${RECEIVER}:94525000100`)
      assert.isAtMost(outputs[1]!.memo!.length, 80)
      assert.strictEqual(outputs[1]!.value, 0n)
      const parts = yield* paymentOf(provider, { objective: "BEST" })
      // The limit of a streaming swap is higher by the outbound fee of 0.0012.
      assert.match(parts.outputs[1]!.memo!, /:94645000100\/1\/0$/u)
    })
  )

  scenario("is offered again for a smaller amount after its fees", (provider) =>
    Effect.gen(function* () {
      const offer = yield* provider.offer(swapRequest)
      assert.strictEqual(yield* offer.requoteAmount(swapRequest.amountIn), offer)
      assert.strictEqual((yield* offer.requoteAmount(900_000n)).amountIn, 900_000n)
    })
  )
})

describe("a THORNode whose response the service must reject", () => {
  const refuses = (name: string, changeServer: (server: Server) => void, reason: RegExp, changes: object = {}) =>
    scenario(name, (provider, server) =>
      Effect.gen(function* () {
        changeServer(server)
        assert.match(yield* refusal(paymentOf(provider, {}, changes)), reason)
      })
    )
  const setQuote = (changes: object) => (server: Server) => {
    server.quote = { ...honestResponses.quote, ...changes }
  }
  const setInbound = (chain: string, changes: object) => (server: Server) => {
    server.inbounds = inboundsWith(chain, changes)
  }

  const withoutEthereum = (server: Server) => {
    server.inbounds = server.inbounds.slice(0, 1)
  }
  const withoutPools = (server: Server) => {
    server.pools = []
  }

  refuses("is halted", setInbound("BTC", { halted: true }), /BTC is halted/u)
  refuses("has paused trading", setInbound("BTC", { global_trading_paused: true }), /paused on all chains/u)
  refuses(
    "has paused the destination chain",
    setInbound("ETH", { chain_trading_paused: true }),
    /trading with ETH is paused/u
  )
  refuses("does not serve the destination chain", withoutEthereum, /no vault for ETH/u)
  refuses(
    "names two vaults",
    setQuote({ inbound_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" }),
    /two different addresses/u
  )
  refuses(
    "names a vault that is not an address",
    setQuote({ inbound_address: `${VAULT.slice(0, -1)}5` }),
    /an invalid address/u
  )
  refuses("ignores such a small amount", setQuote({ dust_threshold: "1000000" }), /ignores payments of 0.01 BTC/u)
  refuses(
    "can't refund such a small amount",
    setQuote({ recommended_min_amount_in: "1000001" }),
    /at least 0.01000001 BTC/u
  )
  refuses(
    "has a vault with a shorter expiry",
    setQuote({ expiry: 1_999_999_999 }),
    /expires in \d+ s, before the quote/u
  )
  refuses("charges the whole amount as fees", setQuote({ expected_amount_out: "0" }), /equal or exceed the amount/u)
  refuses("responds in an unexpected format", setQuote({ expected_amount_out: "-1" }), /unexpected form/u)
  refuses("has an expiry in microseconds", setQuote({ expiry: 2_000_000_900_000_000 }), /unexpected form/u)
  refuses("reports a duration of years", setQuote({ total_swap_seconds: 99_999_999 }), /unexpected form/u)
  refuses("has no pool", withoutPools, /no pool for USDC/u)
  refuses("gets a request for a taproot wallet", () => {}, /taproot/u, {
    sender: BitcoinAddress.make("bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr")
  })
  refuses(
    "has a reason with status 500",
    ({ injected }) => void injected.push({ status: 500, body: { code: 2, message: "pool does not exist" } }),
    /pool does not exist/u
  )
  refuses(
    "has a reason that must not be shown",
    ({ injected }) => void injected.push({ status: 400, body: { message: "<b>call 0800</b>" } }),
    /HTTP status 400/u
  )

  scenario("gets no requests for the time of its Retry-After while it limits the rate", (provider, server) =>
    Effect.gen(function* () {
      server.injected.push({ status: 429, body: { message: "slow down" }, retryAfter: "60" })
      assert.match(yield* refusal(provider.offer(swapRequest)), /limits the rate/u)
      const countBefore = server.asked.length
      assert.match(
        yield* refusal(provider.offer(swapRequest)),
        /limits the rate of requests, and the next request is sent in/u
      )
      const quotes = server.asked.slice(countBefore).filter(({ pathname }) => pathname === "/thorchain/quote/swap")
      assert.isEmpty(quotes)
    })
  )

  scenario(
    "would send native tokens to a contract",
    (provider) =>
      Effect.gen(function* () {
        assert.match(yield* refusal(paymentOf(provider, { tokenOut: ETH })), /is a contract/u)
      }),
    "0x6001"
  )

  scenario("has two tokens whose addresses have the same ending", (provider, server) =>
    Effect.gen(function* () {
      server.pools = [
        ...honestResponses.pools,
        { asset: "ETH.USDC-0X0000000000000000000000000000000003606EB48", status: "Available" }
      ]
      assert.match(yield* refusal(paymentOf(provider, {}, { minAmountOut: 10n ** 15n })), /80 bytes/u)
    })
  )
})
