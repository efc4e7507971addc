import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { reportedPrice, type TokenPrice, TokenPrices, tokenKey } from "@countersign/core/foundation/tokens"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { encodeAbiParameters, keccak256, numberToHex, parseAbiParameters } from "viem"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { priceFeedsOf } from "../../chains/deployments/index.ts"
import { RpcClients, RpcClientsLayer } from "../../chains/evm/index.ts"
import { PoolReader } from "../../exchanges/pools/index.ts"
import { layer as layerTokenPrices } from "./ChainTokenPrices.ts"
import { chainPrices } from "./chainPrices.ts"
import { feedPriceRoundingDown, roundOf, sequencerIsUp } from "./feedPrice.ts"
import { type Anchor, poolPriceOf } from "./poolPrice.ts"
import { averageSqrtPrice, type PricedPool } from "./poolState.ts"

const E18 = 10n ** 18n
const NOW = 1_800_000_000

describe("feedPriceRoundingDown", () => {
  const round = { answer: 3_000_12345678n, startedAt: NOW - 60, updatedAt: NOW - 60 }

  it("scales the answer to 18 decimals", () => {
    assert.strictEqual(feedPriceRoundingDown(round, 8, NOW), 3_000_12345678n * 10n ** 10n)
    assert.strictEqual(feedPriceRoundingDown({ ...round, answer: 1_999n }, 21, NOW), 1n)
  })

  it("ignores reports that are missing, not positive, incomplete or too old", () => {
    assert.isNull(feedPriceRoundingDown(null, 8, NOW))
    for (const changes of [{ answer: 0n }, { answer: -1n }, { updatedAt: 0 }, { updatedAt: NOW - 25 * 3_600 - 1 }]) {
      assert.isNull(feedPriceRoundingDown({ ...round, ...changes }, 8, NOW), JSON.stringify(Object.keys(changes)))
    }
    assert.isNotNull(feedPriceRoundingDown({ ...round, updatedAt: NOW - 25 * 3_600 }, 8, NOW))
  })

  it("decodes latestRoundData of AggregatorV3Interface", () => {
    const data = encodeAbiParameters(parseAbiParameters("uint80, int256, uint256, uint256, uint80"), [
      9n,
      -5n,
      7n,
      8n,
      9n
    ])
    assert.deepStrictEqual(roundOf(data), { answer: -5n, startedAt: 7, updatedAt: 8 })
    assert.isNull(roundOf(null))
  })
})

describe("sequencerIsUp", () => {
  it("is true an hour after the sequencer came back, and false while it is down or unknown", () => {
    const sequencerUp = { answer: 0n, startedAt: NOW - 3_601, updatedAt: NOW }
    assert.isTrue(sequencerIsUp(sequencerUp, NOW))
    assert.isFalse(sequencerIsUp({ ...sequencerUp, startedAt: NOW - 3_600 }, NOW))
    assert.isFalse(sequencerIsUp({ ...sequencerUp, answer: 1n }, NOW))
    assert.isFalse(sequencerIsUp({ ...sequencerUp, startedAt: 0 }, NOW))
    assert.isFalse(sequencerIsUp(null, NOW))
  })
})

describe("averageSqrtPrice", () => {
  it("rounds the mean tick down, also below zero", () => {
    const averageAt = (tick: bigint) => averageSqrtPrice([0n, tick], 1)
    assert.strictEqual(averageSqrtPrice([100n, 100n + 1_800n * 7n + 1_799n], 1_800), averageAt(7n))
    assert.strictEqual(averageSqrtPrice([0n, -1n], 1_800), averageAt(-1n))
    assert.strictEqual(averageSqrtPrice([0n, -3_600n], 1_800), averageAt(-2n))
  })
})

describe("poolPriceOf", () => {
  const [token, dollar] = [Address.make(`0x${"11".repeat(20)}`), Address.make(`0x${"22".repeat(20)}`)]
  const oneDollar: TokenPrice = { usd: E18, low: E18, high: E18, source: "FEED", inPool: null }
  const anchor: Anchor = { address: dollar, decimals: 18, price: oneDollar }
  const sqrt = (price: bigint) => price << 96n
  const aPool = (fields: Partial<PricedPool> = {}): PricedPool => ({
    token0: token,
    token1: dollar,
    liquidity: E18,
    sqrtPriceX96: sqrt(2n),
    averageSqrtPriceX96: sqrt(2n),
    ...fields
  })

  it("is the average, with bounds that include the current price", () => {
    const price = poolPriceOf([aPool({ averageSqrtPriceX96: sqrt(3n) })], token, 18, [anchor])!
    assert.deepStrictEqual(price, {
      usd: 9n * E18,
      low: 4n * E18,
      high: 9n * E18,
      source: "AVERAGE",
      inPool: 4n * E18
    })
  })

  it("is marked as the current price if the pool or its anchor has too few observations", () => {
    assert.strictEqual(poolPriceOf([aPool({ averageSqrtPriceX96: null })], token, 18, [anchor])?.source, "NOW")
    const currentPriceAnchor: Anchor = { ...anchor, price: { ...oneDollar, source: "NOW" } }
    assert.strictEqual(poolPriceOf([aPool()], token, 18, [currentPriceAnchor])?.source, "NOW")
  })

  it("is that of the pool with the most liquidity, for either token order, and never of an empty pool", () => {
    const shallow = aPool({ liquidity: E18 / 10n, sqrtPriceX96: sqrt(9n), averageSqrtPriceX96: sqrt(9n) })
    assert.strictEqual(poolPriceOf([shallow, aPool()], token, 18, [anchor])?.usd, 4n * E18)
    const otherPool = aPool({ token0: dollar, token1: token })
    assert.strictEqual(poolPriceOf([otherPool], token, 18, [anchor])?.usd, E18 / 4n)
    assert.isNull(poolPriceOf([aPool({ liquidity: 0n })], token, 18, [anchor]))
    assert.isNull(poolPriceOf([aPool()], dollar, 18, []))
  })
})

describe("priceFeedsOf", () => {
  it("has the native token's feed on every chain, and the sequencer's on chains that have one", () => {
    for (const chainId of [1, 10, 56, 100, 137, 196, 8453, 42161, 43114] as const) {
      const nativeToken = sandboxTokens(chainId)[0]!.address
      assert.isTrue(
        priceFeedsOf(chainId).feeds.some(({ token }) => token === nativeToken),
        String(chainId)
      )
      assert.strictEqual(priceFeedsOf(chainId).sequencerUptimeFeed !== null, [10, 8453, 42161].includes(chainId))
    }
  })
})

const services = PoolReader.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(SandboxChains, (chains) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] }))
    )
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

const tokenOf = (chainId: 1 | 8453, symbol: string) => sandboxTokens(chainId).find((token) => token.symbol === symbol)!
const [link, usdc, weth] = [tokenOf(1, "LINK"), tokenOf(1, "USDC"), tokenOf(1, "WETH")]

/** Storage slot of the answer to the first round in Chainlink's test aggregator. */
const PRICE_SLOT = keccak256(encodeAbiParameters(parseAbiParameters("uint256, uint256"), [1n, 4n]))

layer(services, { excludeTestServices: true })("Prices of a chain", (it) => {
  const pricesOn = (chainId: 1 | 8453, tokens: ReadonlyArray<Address>) =>
    Effect.flatMap(Effect.all([RpcClients, PoolReader]), ([rpc, reader]) => chainPrices(rpc, reader, chainId, tokens))

  const report = (chainId: 1 | 8453, feed: Address, answer: bigint) =>
    Effect.gen(function* () {
      const client = (yield* RpcClients).client(chainId)
      const params = [feed, PRICE_SLOT, numberToHex(answer, { size: 32 })]
      yield* Effect.promise(() => client.request({ method: "anvil_setStorageAt" as never, params: params as never }))
    })

  it.effect("are those of the feeds, with the native token's price under both of its addresses", () =>
    Effect.gen(function* () {
      const prices = yield* pricesOn(1, [link.address, usdc.address, weth.address, NATIVE_TOKEN])
      assert.strictEqual(prices.get(link.address)?.source, "FEED")
      assert.strictEqual(prices.get(link.address)?.usd, 20n * E18)
      assert.strictEqual(prices.get(NATIVE_TOKEN)?.usd, 3_000n * E18)
      assert.deepStrictEqual(prices.get(NATIVE_TOKEN), prices.get(weth.address))
      for (const { inPool, usd } of prices.values()) {
        assert.closeTo(Number(inPool) / Number(usd), 1, 0.01)
      }
    })
  )

  it.effect("follow a feed, and use pools if its report is unusable", () =>
    Effect.gen(function* () {
      const { feed } = priceFeedsOf(1).feeds.find(({ token }) => token === link.address)!
      const priceOfLink = Effect.map(pricesOn(1, [link.address]), (prices) => prices.get(link.address)!)
      yield* report(1, feed, 25_00000000n)
      assert.strictEqual((yield* priceOfLink).usd, 25n * E18)
      yield* report(1, feed, 0n)
      const byPool = yield* priceOfLink
      assert.oneOf(byPool.source, ["AVERAGE", "NOW"])
      assert.closeTo(Number(byPool.usd) / 1e18, 20, 0.2)
      assert.isTrue(byPool.low <= byPool.usd && byPool.usd <= byPool.high)
    })
  )

  it.effect("have Bitcoin's price from a feed of a served chain, and none from pools", () =>
    Effect.gen(function* () {
      const bitcoinPrice = Effect.fnUntraced(function* (servedChain: number) {
        const prices = layerTokenPrices({ isServed: (chainId) => chainId === servedChain })
        const price = yield* Effect.provide(
          Effect.flatMap(TokenPrices, ({ findPrices: known }) => known([bitcoinToken])),
          prices
        )
        return price.get(tokenKey(bitcoinToken)) ?? null
      })
      // If a chain takes seconds to respond, there is no price at first, and the chain is read again later.
      const readPrice = (servedChain: number) =>
        Effect.repeat(bitcoinPrice(servedChain), { until: (price) => price !== null, times: 60 })
      assert.deepStrictEqual(yield* readPrice(1), reportedPrice(95_000n * E18))
      assert.deepStrictEqual(yield* readPrice(8453), reportedPrice(95_000n * E18))
      assert.isNull(yield* bitcoinPrice(0))
      const { feed } = priceFeedsOf(1).feeds.find(({ pair }) => pair === "BTC / USD")!
      yield* report(1, feed, 0n)
      assert.isNull(yield* bitcoinPrice(1))
    })
  )

  it.effect("are those of pools while the chain's sequencer is reported down", () =>
    Effect.gen(function* () {
      const { sequencerUptimeFeed } = priceFeedsOf(8453)
      const ether = tokenOf(8453, "WETH").address
      const sourceOfEther = Effect.map(pricesOn(8453, [ether]), (prices) => prices.get(ether)?.source)
      assert.strictEqual(yield* sourceOfEther, "FEED")
      yield* report(8453, sequencerUptimeFeed!, 1n)
      assert.oneOf(yield* sourceOfEther, ["AVERAGE", "NOW"])
      yield* report(8453, sequencerUptimeFeed!, 0n)
      assert.strictEqual(yield* sourceOfEther, "FEED")
    })
  )
})

describe("Bitcoin's price", () => {
  it.effect("is missing if the node of the feed's chain does not respond in time", () =>
    Effect.gen(function* () {
      const silentRpc = { call: () => Effect.never } as unknown as RpcClients["Service"]
      const prices = layerTokenPrices({ isServed: () => true }).pipe(
        Layer.provide([Layer.succeed(RpcClients, silentRpc), Layer.mock(PoolReader, { keys: () => [] })])
      )
      const price = Effect.provide(
        TokenPrices.use((service) => service.findPrices([bitcoinToken])),
        prices
      )
      const fiber = yield* Effect.forkChild(price)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Fiber.join(fiber), new Map())
    })
  )
})

describe("A cached price", () => {
  it.effect("is omitted when it is older than five minutes and can't be refreshed", () =>
    Effect.gen(function* () {
      let isFailing = false
      const rpc = {
        call: () =>
          isFailing
            ? Effect.fail(new UpstreamUnavailable({ upstream: "A node", reason: "it does not respond" }))
            : Effect.succeed({ results: [], timestamp: NOW, blockNumber: 1n })
      } as unknown as RpcClients["Service"]
      const prices = layerTokenPrices({ isServed: () => true }).pipe(
        Layer.provide([Layer.succeed(RpcClients, rpc), Layer.mock(PoolReader, { keys: () => [] })])
      )
      yield* Effect.provide(
        Effect.gen(function* () {
          const { findPrices } = yield* TokenPrices
          const countPrices = Effect.map(findPrices([{ chainId: 1, address: usdc.address }]), ({ size }) => size)
          assert.strictEqual(yield* countPrices, 1)
          isFailing = true
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(yield* countPrices, 1)
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* countPrices, 0)
        }),
        prices
      )
    })
  )
})
