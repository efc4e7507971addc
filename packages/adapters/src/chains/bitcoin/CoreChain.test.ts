import { BitcoinChain, DEFAULT_RELAY_RATES } from "@countersign/core/bitcoin/chain"
import { bitcoinChainContract } from "@countersign/core/contracts/bitcoin/chain/BitcoinChain"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { startCoreEmulator } from "../../../test/bitcoin/CoreEmulator.ts"
import { makeChainFixture } from "../../../test/bitcoin/chainFixture.ts"
import { EmulatedChain } from "../../../test/bitcoin/EmulatedChain.ts"
import { startEsploraEmulator } from "../../../test/bitcoin/EsploraEmulator.ts"
import { CoreChain, EsploraChain } from "./index.ts"

const HEIGHT = 900_000
const esplora = await startEsploraEmulator()
const ownChain = new EmulatedChain()
/** A Bitcoin Core node with the same mempool as the Esplora server. */
const sameEmulator = await startCoreEmulator(esplora.chain)
const ownEmulator = await startCoreEmulator(ownChain)
afterAll(() => {
  for (const { stop } of [esplora, sameEmulator, ownEmulator]) stop()
})

const fixture = makeChainFixture([esplora.chain, ownChain], HEIGHT)
const { address, utxos, transactions } = fixture.history
const inBlocks = transactions.flatMap(({ block, outputs }) => (block === null ? [] : outputs))
const receivedAmount = inBlocks.reduce(
  (sum, { script, value }) => (script === utxos[0]!.script ? sum + value : sum),
  0n
)
esplora.balances.set(address, { fundedAmount: receivedAmount, spentAmount: 0n, waitingIn: 5_000n, waitingOut: 10_059n })

const layerOf = (urls: ReadonlyArray<string>) =>
  Layer.provide(
    CoreChain.layer({ urls, timeoutMs: 60_000 }),
    EsploraChain.layer({ urls: [esplora.url], timeoutMs: 60_000 })
  )

bitcoinChainContract("Bitcoin Core before Esplora", layerOf([sameEmulator.url]), {
  height: HEIGHT,
  balances: new Map([[address, { confirmed: receivedAmount, unconfirmed: -5_059n }]]),
  ...fixture
})

beforeEach(() => {
  ownEmulator.state.isDown = false
  ownEmulator.state.fees.clear()
  ownEmulator.calls.length = 0
  esplora.state.fault = null
})

const ratesBy = (urls: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.flatMap(BitcoinChain, ({ feeRates }) => feeRates),
    layerOf(urls)
  )
const submitTransaction = (bytes: HexBytes, url = ownEmulator.url) =>
  Effect.provide(
    BitcoinChain.use((chain) => chain.broadcast(bytes)),
    layerOf([url])
  )

describe("a Bitcoin Core node", () => {
  it.live("estimates exact fee rates, rounded up, and Esplora estimates them if the node can't", () =>
    Effect.gen(function* () {
      const byEsplora = yield* ratesBy([])
      assert.deepStrictEqual(yield* ratesBy([ownEmulator.url]), byEsplora)
      ownEmulator.state.fees.set(2, "0.00012345").set(144, "1.0000001e-5")
      assert.deepStrictEqual(
        [...(yield* ratesBy([ownEmulator.url]))],
        [
          [2, 12_345n],
          [144, 1_001n]
        ]
      )
      assert.deepStrictEqual(yield* ratesBy([ownEmulator.urlWithoutPassword]), byEsplora)
      ownEmulator.state.isDown = true
      assert.deepStrictEqual(yield* ratesBy([ownEmulator.url]), byEsplora)
    })
  )

  it.live("returns its relay fee rate, and Esplora or mempool.space returns one if the node can't", () =>
    Effect.gen(function* () {
      const relayRatesOf = (urls: ReadonlyArray<string>) =>
        Effect.provide(
          Effect.flatMap(BitcoinChain, ({ relayRates }) => relayRates),
          layerOf(urls)
        )
      ownEmulator.state.relay = {
        mempoolminfee: "0.00000123",
        minrelaytxfee: "1e-6",
        incrementalrelayfee: "0.00000100"
      }
      assert.deepStrictEqual(yield* relayRatesOf([ownEmulator.url]), { minRate: 123n, incremental: 100n })
      ownEmulator.state.isDown = true
      assert.deepStrictEqual(yield* relayRatesOf([ownEmulator.url]), DEFAULT_RELAY_RATES)
      esplora.state.preciseFees = '{"fastestFee":1.203,"minimumFee":0.1}'
      assert.deepStrictEqual(yield* relayRatesOf([]), { ...DEFAULT_RELAY_RATES, minRate: 100n })
      esplora.state.preciseFees = null
    })
  )

  it.live("accepts transactions without Esplora", () =>
    Effect.gen(function* () {
      esplora.state.fault = { _tag: "Status", status: 503 }
      yield* submitTransaction(fixture.broadcast.validPayment.bytes)
      assert.isNull(ownChain.entry(fixture.broadcast.validPayment.txid.slice(2))!.height)
    })
  )

  it.live("is replaced by Esplora while it is down", () =>
    Effect.gen(function* () {
      ownEmulator.state.isDown = true
      yield* submitTransaction(fixture.broadcast.validPayment.bytes)
      assert.deepStrictEqual(ownEmulator.calls, ["sendrawtransaction"])
    })
  )

  it.live("returns why it rejects a transaction if Esplora is unavailable", () =>
    Effect.gen(function* () {
      esplora.state.fault = { _tag: "Status", status: 503 }
      const refusal = yield* Effect.flip(submitTransaction(fixture.broadcast.tooCheap))
      assert.strictEqual("kind" in refusal && refusal.kind, "UNDECIDED")
    })
  )
})
