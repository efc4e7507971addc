import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { displayedTotal, pendingLeg } from "../../../src/accounting/history/index.ts"
import { aDraft, aMovement } from "../../../src/accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, aHash } from "../../../src/foundation/primitives/ids.fixture.ts"
import { type HexBytes, NATIVE_TOKEN } from "../../../src/foundation/primitives/index.ts"
import {
  anEvmFixture,
  type EvmFixture,
  evmFixtureLayer,
  runWorkerLater,
  setClock,
  storedExecutionIn,
  transactionIn
} from "../../../src/operations/executions/evm.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../../src/operations/executions/index.ts"
import { eventsIn } from "../../../src/operations/executions/memoryStores.fixture.ts"
import type { Quote } from "../../../src/operations/quotes/index.ts"
import { aQuote } from "../../../src/operations/quotes/Quote.fixture.ts"
import {
  type BitcoinNetwork,
  bitcoinIntent,
  bitcoinKind,
  confirmationsStage,
  confirmedStages,
  signedTransaction
} from "./bitcoin.ts"

const MINUTE = 60_000

const includeInBlock = (network: BitcoinNetwork, txid: ReturnType<typeof aHash>, number: bigint) => {
  network.transactions.set(txid, { number, hash: aHash() })
  network.height = number
}

const accept = ({ id, projectId }: Quote, signed: HexBytes) =>
  Acceptances.use((acceptances) => acceptances.accept(projectId, id, { [id]: signed }))

/**
 * Tests a payment of a Bitcoin wallet. The payment is reported as completed after its first confirmation, and tracked
 * until it has six confirmations.
 */
const scenario = (
  name: string,
  test: (
    fixture: EvmFixture,
    network: BitcoinNetwork,
    minedTxid: ReturnType<typeof aHash>
  ) => Effect.Effect<unknown, unknown, ExecutionWorker>
) =>
  it.effect(name, () => {
    const wallet = aBitcoinAddress()
    const [txid, minedTxid] = [aHash(), aHash()]
    const bitcoinAsset = { chainId: 0, token: NATIVE_TOKEN } as const
    const quote = aQuote({
      id: txid,
      walletAddress: wallet,
      intents: [bitcoinIntent(txid)],
      stages: confirmedStages,
      transaction: aDraft({
        type: "CRYPTO_WITHDRAW",
        chainIdIn: 0,
        chainIdOut: 0,
        legs: [pendingLeg(0, 0)],
        expected: [
          aMovement({ account: wallet, asset: bitcoinAsset, amount: 70_000n, counterparty: aBitcoinAddress() }),
          aMovement({ account: wallet, asset: bitcoinAsset, amount: 300n, role: "GAS" })
        ]
      })
    })
    const fixture = anEvmFixture(quote)
    const network: BitcoinNetwork = {
      height: 0n,
      transactions: new Map(),
      replacements: new Map(),
      newTransaction: aHash,
      broadcast: (signed) => {
        assert.strictEqual(signed, signedTransaction(txid))
        network.transactions.set(minedTxid, null)
        return minedTxid
      }
    }
    return Effect.gen(function* () {
      yield* setClock(0)
      const error = yield* Effect.flip(accept(quote, signedTransaction(aHash())))
      assert.strictEqual(error._tag, "INVALID_SIGNATURE")
      yield* accept(quote, signedTransaction(txid))
      yield* runWorkerLater(MINUTE)
      assert.isNull(transactionIn(fixture).userOperationHash)
      assert.strictEqual(displayedTotal(transactionIn(fixture), "OUT")!.amount, 70_000n)
      yield* test(fixture, network, minedTxid)
    }).pipe(
      Effect.provide(
        evmFixtureLayer(fixture, [Effect.succeed(confirmationsStage(network))], [Effect.succeed(bitcoinKind)])
      )
    )
  })

const SENT_EVENTS = ["created PROCESSING SUBMITTED", "updated PROCESSING BROADCAST"]

describe("A Bitcoin network", () => {
  scenario("confirms a transaction with the id under which it is mined", (fixture, network, mined) =>
    Effect.gen(function* () {
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory), SENT_EVENTS)
      includeInBlock(network, mined, 900n)
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...SENT_EVENTS, "completed COMPLETED INCLUDED"])
      assert.strictEqual(transactionIn(fixture).legs[0]!.hash, mined)
      assert.lengthOf(transactionIn(fixture).movements, 2)
      network.height = 904n
      yield* runWorkerLater(MINUTE)
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
      network.height = 905n
      yield* runWorkerLater(MINUTE)
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
      assert.lengthOf(fixture.memory.events, 3)
    })
  )

  scenario("continues with a replacement that makes the same payment", (fixture, network, mined) =>
    Effect.gen(function* () {
      const replacementTxid = aHash()
      network.replacements.set(mined, { txid: replacementTxid, isSamePayment: true })
      network.transactions.delete(mined)
      network.transactions.set(replacementTxid, null)
      yield* runWorkerLater(MINUTE)
      includeInBlock(network, replacementTxid, 900n)
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        ...SENT_EVENTS,
        "updated PROCESSING REPLACED",
        "completed COMPLETED INCLUDED"
      ])
      assert.strictEqual(transactionIn(fixture).legs[0]!.hash, replacementTxid)
    })
  )

  scenario("fails a transaction after a double spend of its UTXOs", (fixture, network, mined) =>
    Effect.gen(function* () {
      network.replacements.set(mined, { txid: aHash(), isSamePayment: false })
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...SENT_EVENTS, "failed FAILED REPLACED"])
      assert.isNull(displayedTotal(transactionIn(fixture), "OUT"))
      assert.isNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario("restarts a transaction if a reorg removes its block", (fixture, network, mined) =>
    Effect.gen(function* () {
      includeInBlock(network, mined, 900n)
      yield* runWorkerLater(MINUTE)
      network.transactions.set(mined, null)
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(transactionIn(fixture).movements, [])
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "PENDING")
      includeInBlock(network, mined, 901n)
      yield* runWorkerLater(MINUTE)
      network.height = 906n
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        ...SENT_EVENTS,
        "completed COMPLETED INCLUDED",
        "reorged PROCESSING REORGED",
        "completed COMPLETED INCLUDED"
      ])
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.lengthOf(transactionIn(fixture).movements, 2)
    })
  )

  scenario("fails a transaction that is replaced after a reorg removed its block", (fixture, network, mined) =>
    Effect.gen(function* () {
      includeInBlock(network, mined, 900n)
      yield* runWorkerLater(MINUTE)
      network.transactions.set(mined, null)
      yield* runWorkerLater(MINUTE)
      network.replacements.set(mined, { txid: aHash(), isSamePayment: false })
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(eventsIn(fixture.memory).slice(-2), [
        "reorged PROCESSING REORGED",
        "failed FAILED REPLACED"
      ])
    })
  )
})
