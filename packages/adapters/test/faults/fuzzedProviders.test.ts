import { BitcoinChain } from "@countersign/core/bitcoin/chain"
import { aFiatOrder, aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import type { FiatProviderRequest } from "@countersign/core/fiat"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { IndividualId } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Redacted } from "effect"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { EsploraChain } from "../../src/chains/bitcoin/index.ts"
import { httpAcrossFees } from "../../src/exchanges/across/HttpAcrossFees.ts"
import { makeBridge } from "../../src/fiat/bridge/BridgeProvider.ts"
import { makeCoinGecko } from "../../src/tokens/market-data/CoinGecko.ts"
import { makeDefiLlama } from "../../src/tokens/market-data/DefiLlama.ts"
import { serveAcrossApi } from "../across/acrossApi.ts"
import { makeChainFixture } from "../bitcoin/chainFixture.ts"
import { startEsploraEmulator } from "../bitcoin/EsploraEmulator.ts"
import { seededRandom } from "../evm/randomOperation.ts"
import { BRIDGE_KEY, type BridgeEmulator, startBridgeEmulator } from "../fiat/BridgeEmulator.ts"
import { providerCustomersWith } from "../fiat/linksTo.ts"
import { serveMarket } from "../market-data/MarketEmulator.ts"

/**
 * Replaces one value in the responses of providers. Each call must succeed, or fail with an error that its port
 * declares.
 */

const CALL_COUNT = shortOrLong(40, 1_000)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

/** JSON values as text. `1e400` exceeds the range of JavaScript numbers. */
const HOSTILE_VALUES = [
  "null",
  "true",
  "{}",
  "[]",
  "[[[]]]",
  '""',
  "0",
  "-1",
  "1.5",
  "1e300",
  "-1e300",
  "1e400",
  "9007199254740993",
  '"1e30"',
  '"-5"',
  '"0x"',
  '"\\u0000"',
  '"2026-99-99"',
  `"${"9".repeat(80)}"`
]
const JSON_VALUE = /"(?:[^"\\]|\\.)*"(?=\s*[,}\]])|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|null|true|false/giu

const random = seededRandom(SEED)
const oneOf = <A>(values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)]!

/** Replaces one value in the text, or rarely truncates the text. */
const mutate = (text: string): string => {
  const values = [...text.matchAll(JSON_VALUE)]
  if (values.length === 0 || random() < 0.02) return text.slice(0, Math.floor(random() * text.length))
  const { 0: value, index } = oneOf(values)
  return text.slice(0, index) + oneOf(HOSTILE_VALUES) + text.slice(index + value.length)
}

const honestFetch = globalThis.fetch
let isHostile = false
let lastText = ""
beforeAll(() => {
  globalThis.fetch = async (...request) => {
    const response = await honestFetch(...request)
    if (!isHostile) return response
    lastText = mutate(await response.text())
    const { headers, status } = response
    return new Response([204, 304].includes(status) ? null : lastText, { status, headers })
  }
})
afterAll(() => {
  globalThis.fetch = honestFetch
})

/** Calls each function several times with hostile responses, each time with a new provider. */
const assertNoDefects = (calls: () => Readonly<Record<string, Effect.Effect<unknown, unknown>>>) =>
  Effect.gen(function* () {
    isHostile = true
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isHostile = false
      })
    )
    const names = Object.keys(calls())
    for (let i = 0; i < CALL_COUNT; i++) {
      for (const name of names) {
        const exit = yield* Effect.exit(calls()[name]!)
        const hasDefect = Exit.isFailure(exit) && Cause.hasDies(exit.cause)
        assert.isFalse(
          hasDefect,
          `${name}, seed ${SEED}: ${lastText.slice(0, 2_000)}\n${Exit.isFailure(exit) && Cause.pretty(exit.cause)}`
        )
      }
    }
  })

describe("With hostile answers", () => {
  const token = { chainId: 1 as const, address: NATIVE_TOKEN }
  const priceAt = DateTime.makeUnsafe("2026-10-05T12:00:00Z")

  it.live("no price source fails with a defect", () =>
    Effect.gen(function* () {
      const { urls } = yield* serveMarket
      const coinGecko = makeCoinGecko({ plan: "none", apiKey: null, url: urls.coingecko })
      const defiLlama = makeDefiLlama({ url: urls.defillama })
      yield* assertNoDefects(() => ({
        prices: Effect.flatMap(coinGecko, ({ prices }) => prices([token])),
        pastPrices: Effect.flatMap(coinGecko, ({ pastPrices }) => pastPrices(token, [priceAt])),
        rates: Effect.flatMap(coinGecko, ({ rates }) => rates),
        pastRates: Effect.flatMap(coinGecko, ({ pastRates }) => pastRates(priceAt)),
        "prices of DefiLlama": Effect.flatMap(defiLlama, ({ prices }) => prices([token])),
        "pastPrices of DefiLlama": Effect.flatMap(defiLlama, ({ pastPrices }) => pastPrices(token, [priceAt]))
      }))
    }).pipe(Effect.scoped)
  )

  it.live("no request for bridge fees fails with a defect", () =>
    Effect.gen(function* () {
      const { url } = yield* serveAcrossApi
      const tokenIn = {
        chainId: 1,
        address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
        decimals: 6
      } as const
      const tokenOut = {
        chainId: 8453,
        address: Address.make("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"),
        decimals: 6
      } as const
      yield* assertNoDefects(() => ({
        feesOf: httpAcrossFees({ url, apiKey: Redacted.make("key") }).feesOf({
          from: tokenIn,
          to: tokenOut,
          amountIn: 1_000_000_000n,
          message: null
        })
      }))
    }).pipe(Effect.scoped)
  )

  it.live("no Bitcoin read fails with a defect", () =>
    Effect.gen(function* () {
      const emulator = yield* Effect.promise(startEsploraEmulator)
      yield* Effect.addFinalizer(() => Effect.sync(emulator.stop))
      const { address, transactions } = makeChainFixture([emulator.chain], 900_000).history
      emulator.balances.set(address, { fundedAmount: 5_000n, spentAmount: 1_000n, waitingIn: 500n, waitingOut: 4_000n })
      const runOnChain = <A, E>(call: (chain: BitcoinChain["Service"]) => Effect.Effect<A, E>) =>
        BitcoinChain.use(call).pipe(Effect.provide(EsploraChain.layer({ urls: [emulator.url], timeoutMs: 60_000 })))
      yield* assertNoDefects(() => ({
        balance: runOnChain((chain) => chain.balanceOf(address)),
        tip: runOnChain((chain) => chain.tip),
        agreedHeight: runOnChain((chain) => chain.agreedHeight),
        coins: runOnChain((chain) => chain.utxosOf(address)),
        transactionsOf: runOnChain((chain) => chain.transactionsOf(address, null)),
        transaction: runOnChain((chain) => chain.findTransaction(transactions[0]!.txid))
      }))
    }).pipe(Effect.scoped)
  )

  describe("of a fiat provider", () => {
    const individualId = IndividualId.make("cust_ada")
    let bridge: BridgeEmulator
    beforeAll(async () => {
      bridge = await startBridgeEmulator()
      bridge.addCustomer(individualId)
    })
    afterAll(() => bridge.stop())

    it.live("no call fails with a defect", () =>
      Effect.gen(function* () {
        const provider = () =>
          makeBridge(
            { url: bridge.url, apiKey: Redacted.make(BRIDGE_KEY), hasTerms: true, webhookPublicKey: null },
            providerCustomersWith("cust_bea"),
            () => Effect.succeed(null)
          )
        const quote = aFiatQuote({
          individualId,
          method: "ACH",
          currency: "USD",
          fiatAmount: 5_000n,
          provider: "bridge"
        })
        const { chainId, currency, method, projectId, token, walletAddress } = quote
        const requestFields = { projectId, method, currency, individualId, chainId, token, walletAddress } as const
        const deposit: FiatProviderRequest = { ...requestFields, direction: "DEPOSIT", amount: 5_000n }
        const withdrawal: FiatProviderRequest = { ...requestFields, direction: "WITHDRAWAL", amount: 25_500_000n }
        const order = aFiatOrder(quote)
        const { providerOrder } = yield* provider().openDeposit(order)
        yield* assertNoDefects(() => ({
          deposit: provider().quote(deposit),
          withdrawal: provider().quote(withdrawal),
          openDeposit: provider().openDeposit(order),
          orderReport: provider().readOrderReport({ ...order, providerOrder })
        }))
      }).pipe(Effect.scoped)
    )
  })
})
