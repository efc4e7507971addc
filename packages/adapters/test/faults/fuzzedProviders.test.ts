import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { BitcoinChain, bitcoinToken } from "@countersign/core/bitcoin/chain"
import { aFiatOrder, aFiatQuote } from "@countersign/core/contracts/fiat/provider/FiatProvider"
import { aVerifyingSession, personalDataFor } from "@countersign/core/contracts/identity/provider/IdentityProvider"
import type { FiatProvider, FiatProviderRequest } from "@countersign/core/fiat"
import { Address, BitcoinAddress, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { IndividualId, type SessionKind } from "@countersign/core/identity"
import { OrderBook } from "@countersign/core/trading/limit-orders"
import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { BLINDPAY_INSTANCE, BLINDPAY_KEY } from "../../sandbox/bank/index.ts"
import { BitcoinjsTransactions, CoreChain, EsploraChain } from "../../src/chains/bitcoin/index.ts"
import { RpcClients, RpcClientsLayer } from "../../src/chains/evm/index.ts"
import { httpAcrossFees } from "../../src/exchanges/across/HttpAcrossFees.ts"
import { layer as layerCowOrderBook } from "../../src/exchanges/cow/CowOrderBook.ts"
import { make as makeThorchain } from "../../src/exchanges/thorchain/ThorchainSwapProvider.ts"
import { makeBlindPay } from "../../src/fiat/blindpay/BlindPayProvider.ts"
import { makeBridge } from "../../src/fiat/bridge/BridgeProvider.ts"
import { s3Store } from "../../src/identity/s3Store.ts"
import { makeSumsub } from "../../src/identity/sumsub/SumsubProvider.ts"
import { s3Target } from "../../src/storage/backup/s3Target.ts"
import { makeCoinGecko } from "../../src/tokens/market-data/CoinGecko.ts"
import { makeDefiLlama } from "../../src/tokens/market-data/DefiLlama.ts"
import { serveAcrossApi } from "../across/acrossApi.ts"
import { startCoreEmulator } from "../bitcoin/CoreEmulator.ts"
import { makeChainFixture } from "../bitcoin/chainFixture.ts"
import { startEsploraEmulator } from "../bitcoin/EsploraEmulator.ts"
import { BRIDGE_KEY, type BridgeEmulator, startBridgeEmulator } from "../fiat/BridgeEmulator.ts"
import { type BlindPayServer, startBlindPayServer } from "../fiat/blindPayServer.ts"
import { providerCustomersWith } from "../fiat/linksTo.ts"
import { S3_REGION, s3Keys, startS3Emulator } from "../identity/S3Emulator.ts"
import { startSumsubEmulator, sumsubLevels, sumsubSecrets } from "../identity/SumsubEmulator.ts"
import { serveMarket } from "../market-data/MarketEmulator.ts"
import { close, listen } from "../support/localServer.ts"
import { thorNodeServer } from "../thorchain/thorNodeServer.ts"
import { installHostileResponses } from "./hostileResponses.ts"

/**
 * Replaces one value in the responses of providers. Each call must succeed, or fail with an error that its port
 * declares.
 */

const assertNoDefects = installHostileResponses()

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
        transaction: runOnChain((chain) => chain.findTransaction(transactions[0]!.txid)),
        block: runOnChain((chain) => chain.block(transactions[1]!.block!.hash))
      }))
    }).pipe(Effect.scoped)
  )

  describe("of a fiat provider", () => {
    const individualId = IndividualId.make("cust_ada")
    let bridge: BridgeEmulator
    let blindPay: BlindPayServer
    beforeAll(async () => {
      bridge = await startBridgeEmulator()
      bridge.addCustomer(individualId)
      blindPay = await startBlindPayServer()
      blindPay.bank.addCustomer(individualId)
    })
    afterAll(() => {
      blindPay.stop()
      return bridge.stop()
    })

    const providers: Readonly<Record<string, () => FiatProvider>> = {
      Bridge: () =>
        makeBridge(
          { url: bridge.url, apiKey: Redacted.make(BRIDGE_KEY), hasTerms: true, webhookPublicKey: null },
          providerCustomersWith("cust_bea"),
          () => Effect.succeed(null)
        ),
      BlindPay: () =>
        makeBlindPay(
          {
            url: blindPay.url,
            apiKey: Redacted.make(BLINDPAY_KEY),
            instanceId: BLINDPAY_INSTANCE,
            hasTerms: false,
            webhookSecret: null
          },
          providerCustomersWith("cus_bea"),
          () => Effect.succeed(null)
        )
    }

    it.live.each(Object.entries(providers))("no call of %s fails with a defect", ([name, provider]) =>
      Effect.gen(function* () {
        const quote = aFiatQuote({
          individualId,
          method: "ACH",
          currency: "USD",
          fiatAmount: 200_000n,
          provider: name.toLowerCase()
        })
        const { chainId, currency, method, projectId, token, walletAddress } = quote
        const requestFields = { projectId, method, currency, individualId, chainId, token, walletAddress } as const
        const deposit: FiatProviderRequest = { ...requestFields, direction: "DEPOSIT", amount: 200_000n }
        const withdrawal: FiatProviderRequest = { ...requestFields, direction: "WITHDRAWAL", amount: 100_000_000n }
        const order = aFiatOrder({ ...quote, ...(yield* provider().quote(deposit)) })
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

  it.live("no request to Bitcoin Core fails with a defect", () =>
    Effect.gen(function* () {
      const esplora = yield* Effect.acquireRelease(Effect.promise(startEsploraEmulator), ({ stop }) =>
        Effect.sync(stop)
      )
      const core = yield* Effect.acquireRelease(
        Effect.promise(() => startCoreEmulator(esplora.chain)),
        ({ stop }) => Effect.sync(stop)
      )
      core.state.fees.set(2, "0.00012345").set(144, "1.0000001e-5")
      const { broadcast } = makeChainFixture([esplora.chain], 900_000)
      const runOnChain = <A, E>(call: (chain: BitcoinChain["Service"]) => Effect.Effect<A, E>) =>
        BitcoinChain.use(call).pipe(
          Effect.provide(CoreChain.layer({ urls: [core.url], timeoutMs: 60_000 })),
          Effect.provide(EsploraChain.layer({ urls: [esplora.url], timeoutMs: 60_000 }))
        )
      yield* assertNoDefects(() => ({
        feeRates: runOnChain((chain) => chain.feeRates),
        relayRates: runOnChain((chain) => chain.relayRates),
        agreedHeight: runOnChain((chain) => chain.agreedHeight),
        broadcast: runOnChain((chain) => chain.broadcast(broadcast.validPayment.bytes))
      }))
    }).pipe(Effect.scoped)
  )

  it.live("no quote of THORChain fails with a defect", () =>
    Effect.gen(function* () {
      const { url } = yield* thorNodeServer
      const tokenOut: Token = {
        chainId: 1,
        address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
        name: "USD Coin",
        symbol: "USDC",
        decimals: 6,
        realWorldAsset: false
      }
      const recipient = Address.make(`0x${"ab".repeat(20)}`)
      const sender = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
      const terms = { sender, signer: sender, recipient, minAmountOut: 945_250_001n, deadline: 2_000_000_000 }
      const payment = Effect.gen(function* () {
        const provider = yield* makeThorchain({ url, timeoutMs: 60_000, isServed: () => true })
        const offer = yield* provider.offer({ tokenIn: bitcoinToken, tokenOut, amountIn: 1_000_000n, limit: null })
        return offer.intent._tag === "BitcoinPayment" ? yield* offer.intent.buildPayment(terms) : null
      })
      const contracts = {
        call: (_chainId: number, ask: () => Promise<unknown>) => Effect.promise(ask),
        request: () => Promise.resolve("0x")
      }
      yield* assertNoDefects(() => ({
        payment: Effect.provide(
          payment,
          Layer.mergeAll(
            Layer.mock(BitcoinChain, {}),
            BitcoinjsTransactions.layer,
            Layer.succeed(RpcClients, contracts as unknown as RpcClients["Service"])
          )
        )
      }))
    }).pipe(Effect.scoped)
  )

  it.live("no read of CoW's order book fails with a defect", () =>
    Effect.gen(function* () {
      const owner = Address.make(`0x${"0a".repeat(20)}`)
      const [sellToken, buyToken] = [Address.make(`0x${"01".repeat(20)}`), Address.make(`0x${"02".repeat(20)}`)]
      const amounts = { sellAmount: "1000", executedSellAmount: "10" }
      const order = { uid: `0x${"12".repeat(56)}`, status: "open", sellToken, ...amounts }
      const server = createServer((request, response) => {
        const body = request.method === "GET" ? [order, order] : { quote: { buyAmount: "123456789" } }
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
      yield* Effect.acquireRelease(listen(server), () => close(server))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const nodes = RpcClientsLayer({ urls: () => ["http://127.0.0.1:1"] })
      const runOnBook = <A, E>(call: (book: OrderBook["Service"]) => Effect.Effect<A, E>) =>
        OrderBook.use(call).pipe(
          Effect.provide(layerCowOrderBook({ url, timeoutMs: 60_000 }).pipe(Layer.provide(nodes)))
        )
      const market = { chainId: 1, owner, receiver: owner, sellToken, buyToken, sellAmount: 1_000n } as const
      yield* assertNoDefects(() => ({
        readMarketPrice: runOnBook((book) => book.readMarketPrice(market)),
        readOpenOrders: runOnBook((book) => book.readOpenOrders(1, owner))
      }))
    }).pipe(Effect.scoped)
  )

  it.live("no verification by Sumsub fails with a defect", () =>
    Effect.gen(function* () {
      const sumsub = yield* Effect.acquireRelease(Effect.promise(startSumsubEmulator), ({ stop }) =>
        Effect.promise(stop)
      )
      const provider = () =>
        makeSumsub(
          {
            url: sumsub.url,
            appToken: Redacted.make(sumsubSecrets.appToken),
            secretKey: Redacted.make(sumsubSecrets.secretKey),
            webhookSecret: null,
            levels: sumsubLevels
          },
          { read: () => Effect.succeed(Buffer.from("%PDF-1.7 a document")) }
        )
      const check = (kind: SessionKind) =>
        Effect.suspend(() =>
          provider().check({ session: aVerifyingSession(kind), personalData: Effect.succeed(personalDataFor(kind)) })
        )
      yield* assertNoDefects(() => ({ individual: check("individual"), business: check("business") }))
    }).pipe(Effect.scoped)
  )

  it.live("no request to S3 fails with a defect", () =>
    Effect.gen(function* () {
      const s3 = yield* Effect.acquireRelease(Effect.promise(startS3Emulator), ({ stop }) => Effect.promise(stop))
      const settings = {
        url: s3.url,
        region: S3_REGION,
        accessKeyId: s3Keys.accessKeyId,
        secretAccessKey: Redacted.make(s3Keys.secretAccessKey)
      }
      const content = () => Stream.make(new TextEncoder().encode("a backup"))
      for (const name of ["a", "b", "c", "d", "e"]) yield* s3Target(settings).write(`backup-${name}`, content())
      let writtenCount = 0
      yield* assertNoDefects(() => {
        writtenCount += 1
        return {
          list: s3Target(settings).list("backup-"),
          write: s3Target(settings).write(`new-${writtenCount}`, content()),
          read: Stream.runDrain(s3Target(settings).read("backup-a")),
          has: s3Store(settings).has("document"),
          document: s3Store(settings).read("document")
        }
      })
    }).pipe(Effect.scoped)
  )
})
