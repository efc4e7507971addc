import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { pendingLeg } from "../../accounting/history/index.ts"
import { aDraft, aMovement } from "../../accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { Hash32, HexBytes, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import {
  anEvmFixture,
  type EvmFixture,
  evmFixtureLayer,
  runWorkerLater,
  setClock,
  storedExecutionIn,
  transactionIn
} from "../../operations/executions/evm.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../operations/executions/index.ts"
import { eventsIn } from "../../operations/executions/memoryStores.fixture.ts"
import type { BitcoinTerms } from "../../operations/intents/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { BroadcastRefused } from "../chain/index.ts"
import { BitcoinBroadcasts, type BroadcastError } from "./BitcoinBroadcasts.ts"
import { bitcoinPaymentStage } from "./BitcoinPaymentStage.ts"
import { replacedByDetails, replacementDetails } from "./bitcoinDetails.ts"
import { bitcoinTransactionKind } from "./bitcoinTransactionKind.ts"
import { aKnownTransaction, Network, networkPorts, signedBytes } from "./network.fixture.ts"
import { BITCOIN_PAYMENT, bitcoinPaymentState } from "./paymentState.ts"

const idOf = ({ id }: Quote) => Hash32.make(id)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const ownScript = HexBytes.make(`0x0014${"aa".repeat(20)}`)
const receiver = HexBytes.make(`0x0014${"bb".repeat(20)}`)
const requiredConfirmations = 3

const makeTerms = (): BitcoinTerms => ({
  inputs: [{ txid: aHash(), vout: 0, value: 100_000n, script: ownScript }],
  outputs: [
    { script: receiver, value: 70_000n },
    { script: ownScript, value: 29_700n }
  ],
  maxWeight: 600
})

const aPayment = (terms: BitcoinTerms, fields: Partial<Quote> = {}): Quote => {
  const txid = aHash()
  const wallet = fields.walletAddress ?? aBitcoinAddress()
  const psbt = HexBytes.make("0x70736274ff")
  const asset = { chainId: 0, token: NATIVE_TOKEN } as const
  return aQuote({
    id: txid,
    walletAddress: wallet,
    intents: [
      {
        type: "BITCOIN_TRANSACTION",
        txid,
        psbt,
        terms,
        signData: [{ type: "BITCOIN_TRANSACTION", method: "sign_psbt", hash: txid, psbt }]
      }
    ],
    stages: [
      {
        name: BITCOIN_PAYMENT,
        intent: 0,
        status: "PROCESSING",
        state: bitcoinPaymentState.start(requiredConfirmations)
      }
    ],
    transaction: aDraft({
      type: "TRANSFER",
      chainIdIn: 0,
      chainIdOut: 0,
      legs: [pendingLeg(0, 0)],
      expected: [
        aMovement({ account: wallet, asset, amount: 70_000n, counterparty: aBitcoinAddress() }),
        aMovement({ account: wallet, asset, amount: 300n, role: "GAS" })
      ]
    }),
    ...fields
  })
}

interface PaymentScenario {
  readonly fixture: EvmFixture
  readonly network: Network
  readonly quote: Quote
  readonly terms: BitcoinTerms
  readonly broadcast: (bytes?: HexBytes) => Effect.Effect<Hash32, BroadcastError>
}

/** Runs a test with a quoted payment that spends one on-chain UTXO. */
const paymentScenario = (
  name: string,
  test: (
    scenario: PaymentScenario
  ) => Effect.Effect<unknown, unknown, Acceptances | BitcoinBroadcasts | ExecutionWorker>,
  fields: Partial<BitcoinTerms> = {}
) =>
  it.effect(name, () => {
    const terms = { ...makeTerms(), ...fields }
    const quote = aPayment(terms)
    const network = new Network()
    const parentOutpoint = terms.inputs[0]!
    network.knownTransactions.set(
      parentOutpoint.txid,
      aKnownTransaction(parentOutpoint.txid, { inputs: [], outputs: [{ script: ownScript, value: 100_000n }] })
    )
    network.knownTransactions.set(idOf(quote), aKnownTransaction(idOf(quote), terms))
    network.mine([parentOutpoint.txid])
    const fixture = anEvmFixture(quote)
    const ports = networkPorts(network)
    return Effect.gen(function* () {
      yield* setClock(0)
      const broadcasts = yield* BitcoinBroadcasts
      yield* test({
        fixture,
        network,
        quote,
        terms,
        broadcast: (bytes = signedBytes(idOf(quote))) =>
          Effect.map(broadcasts.broadcast(quote.projectId, quote.id, bytes), ({ txid }) => txid)
      })
    }).pipe(
      Effect.provide(
        BitcoinBroadcasts.layer.pipe(
          Layer.provideMerge(evmFixtureLayer(fixture, [bitcoinPaymentStage], [bitcoinTransactionKind]))
        )
      ),
      Effect.provide(ports)
    )
  })

describe("A Bitcoin payment", () => {
  paymentScenario(
    "completes after enough confirmations, and reports each confirmation",
    ({ broadcast, network, quote, fixture }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* broadcast(), quote.id)
        yield* runWorkerLater(MINUTE)
        network.mine([idOf(quote)])
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).legs[0]!.confirmations, 1)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        network.mine([])
        yield* runWorkerLater(MINUTE)
        network.mine([])
        yield* runWorkerLater(MINUTE)
        assert.deepStrictEqual(eventsIn(fixture.memory), [
          "created PROCESSING SUBMITTED",
          "updated PROCESSING BROADCAST",
          "updated PROCESSING INCLUDED",
          "updated PROCESSING INCLUDED",
          "completed COMPLETED INCLUDED"
        ])
        assert.isNull(storedExecutionIn(fixture).dueAt)
        assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
        assert.lengthOf(transactionIn(fixture).movements, 2)
        // Much later, a repeated request returns the same response.
        assert.strictEqual(yield* broadcast(), quote.id)
      })
  )

  paymentScenario(
    "is accepted only as the quoted transaction, in one signed version",
    ({ broadcast, network, quote }) =>
      Effect.gen(function* () {
        const otherError = yield* Effect.flip(broadcast(signedBytes(aHash())))
        assert.strictEqual(otherError._tag, "INVALID_SIGNATURE")
        assert.deepStrictEqual(network.sentTxids, [])
        yield* broadcast()
        const repeatedError = yield* Effect.flip(broadcast(signedBytes(idOf(quote), "5b")))
        assert.match(repeatedError.message, /Another signed version/u)
        assert.lengthOf(network.sentTxids, 1)
      })
  )

  paymentScenario("is rejected if its UTXO differs on-chain", ({ broadcast, network, terms }) =>
    Effect.gen(function* () {
      const { txid } = terms.inputs[0]!
      network.knownTransactions.set(
        txid,
        aKnownTransaction(txid, { inputs: [], outputs: [{ script: ownScript, value: 99_999n }] })
      )
      assert.match((yield* Effect.flip(broadcast())).message, /does not exist on-chain or differs from the quote/u)
      assert.deepStrictEqual(network.sentTxids, [])
    })
  )

  paymentScenario("is rejected after its quote has expired", ({ broadcast, network }) =>
    Effect.gen(function* () {
      yield* setClock(60_001)
      assert.strictEqual((yield* Effect.flip(broadcast()))._tag, "EXPIRED_BITCOIN_QUOTE")
      assert.deepStrictEqual(network.sentTxids, [])
    })
  )

  paymentScenario("is retried if a node rejects it temporarily", ({ broadcast, network, quote, fixture }) =>
    Effect.gen(function* () {
      network.refusal = new BroadcastRefused({ kind: "POLICY", reason: "mempool min fee not met" })
      const error = yield* Effect.flip(broadcast())
      assert.strictEqual(error._tag, "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION")
      assert.include(error.message, "mempool min fee not met")
      yield* runWorkerLater(15_000)
      assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
      network.refusal = null
      assert.strictEqual(yield* broadcast(), quote.id)
      yield* runWorkerLater(15_000)
      assert.strictEqual(transactionIn(fixture).substatus, "BROADCAST")
    })
  )

  paymentScenario(
    "waits if the node for broadcasts has its block, but the server for reads does not yet",
    ({ broadcast, network, fixture }) =>
      Effect.gen(function* () {
        network.refusal = new BroadcastRefused({ kind: "KNOWN", reason: "Transaction outputs already in utxo set" })
        yield* broadcast()
        yield* runWorkerLater(MINUTE)
        yield* runWorkerLater(MINUTE)
        const sentCount = network.sentTxids.length
        const events = eventsIn(fixture.memory)
        yield* runWorkerLater(9_000)
        assert.lengthOf(network.sentTxids, sentCount)
        yield* runWorkerLater(MINUTE)
        assert.isAtMost(network.sentTxids.length, sentCount + 7)
        assert.deepStrictEqual(eventsIn(fixture.memory), events)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
      })
  )

  paymentScenario("fails if a node still rejects it when its quote expires", ({ broadcast, network, fixture }) =>
    Effect.gen(function* () {
      network.refusal = new BroadcastRefused({ kind: "POLICY", reason: "min relay fee not met" })
      yield* Effect.flip(broadcast())
      yield* runWorkerLater(MINUTE + 1_000)
      assert.strictEqual(transactionIn(fixture).status, "FAILED")
      assert.include((yield* Effect.flip(broadcast())).message, "min relay fee not met")
    })
  )

  paymentScenario(
    "does not fail for a day if a node that may have accepted it does not respond",
    ({ broadcast, network, quote, fixture }) =>
      Effect.gen(function* () {
        network.refusal = new BroadcastRefused({ kind: "UNDECIDED", reason: "scriptpubkey" })
        yield* Effect.flip(broadcast())
        yield* runWorkerLater(DAY)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        network.waitingTxids.add(idOf(quote))
        yield* runWorkerLater(MINUTE)
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "BROADCAST")
      })
  )

  paymentScenario(
    "fails a day after its quote has expired if no node has it",
    ({ broadcast, network, quote, fixture }) =>
      Effect.gen(function* () {
        network.knownTransactions.delete(idOf(quote))
        network.refusal = new BroadcastRefused({ kind: "UNDECIDED", reason: "scriptpubkey" })
        yield* Effect.flip(broadcast())
        yield* runWorkerLater(2 * DAY)
        assert.strictEqual(transactionIn(fixture).status, "FAILED")
      })
  )

  paymentScenario("fails immediately if no node can ever accept it", ({ broadcast, network, fixture }) =>
    Effect.gen(function* () {
      network.refusal = new BroadcastRefused({ kind: "INVALID", reason: "bad-txns" })
      yield* Effect.flip(broadcast())
      yield* runWorkerLater(1_000)
      assert.strictEqual(transactionIn(fixture).status, "FAILED")
      assert.isNull(storedExecutionIn(fixture).dueAt)
    })
  )

  paymentScenario("waits while servers are unavailable, and is then broadcast", ({ broadcast, network, fixture }) =>
    Effect.gen(function* () {
      yield* broadcast()
      network.waitingTxids.clear()
      network.isDown = true
      yield* runWorkerLater(MINUTE)
      network.isDown = false
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(network.waitingTxids.size, 1)
      assert.strictEqual(transactionIn(fixture).substatus, "BROADCAST")
    })
  )

  paymentScenario("is broadcast again after nodes have dropped it", ({ broadcast, network }) =>
    Effect.gen(function* () {
      yield* broadcast()
      yield* runWorkerLater(MINUTE)
      network.waitingTxids.clear()
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(network.waitingTxids.size, 1)
    })
  )

  paymentScenario(
    "continues with a replacement that makes the same payment",
    ({ broadcast, network, fixture, terms }) =>
      Effect.gen(function* () {
        yield* broadcast()
        yield* runWorkerLater(MINUTE)
        const replacement = aKnownTransaction(aHash(), {
          ...terms,
          outputs: [terms.outputs[0]!, { script: ownScript, value: 29_000n }]
        })
        network.replace(replacement)
        yield* runWorkerLater(MINUTE)
        network.mine([replacement.txid], 5)
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
        assert.strictEqual(transactionIn(fixture).legs[0]!.hash, replacement.txid)
        assert.strictEqual(transactionIn(fixture).movements.find(({ role }) => role === "GAS")!.amount, 1_000n)
      })
  )

  paymentScenario(
    "fails after a transaction with the same UTXOs is final, and not before",
    ({ broadcast, network, fixture, terms }) =>
      Effect.gen(function* () {
        yield* broadcast()
        yield* runWorkerLater(MINUTE)
        const conflictingTransaction = aKnownTransaction(aHash(), {
          ...terms,
          outputs: [{ script: ownScript, value: 99_000n }]
        })
        network.replace(conflictingTransaction)
        yield* runWorkerLater(MINUTE)
        network.mine([conflictingTransaction.txid])
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        assert.strictEqual(transactionIn(fixture).substatus, "COINS_TAKEN")
        network.mine([], 1)
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).status, "FAILED")
        assert.strictEqual(transactionIn(fixture).failure!.code, "REPLACED")
        assert.deepStrictEqual(transactionIn(fixture).movements, [])
      })
  )

  paymentScenario("is cancelled by the wallet's own replacement", ({ broadcast, network, quote, fixture, terms }) =>
    Effect.gen(function* () {
      yield* broadcast()
      yield* runWorkerLater(MINUTE)
      const replacementTerms: BitcoinTerms = {
        ...terms,
        outputs: [terms.outputs[0]!, { script: ownScript, value: 28_000n }]
      }
      const { projectId, walletAddress } = quote
      const otherPayment = aPayment(replacementTerms, { projectId, walletAddress })
      const replacement = { kind: "CANCEL", transactionId: storedExecutionIn(fixture).execution.id } as const
      const transaction = { ...otherPayment.transaction, details: replacementDetails.of(replacement) }
      const nextPayment = { ...otherPayment, transaction }
      fixture.memory.quotes.set(nextPayment.id, nextPayment)
      const signatures = { [nextPayment.id]: signedBytes(idOf(nextPayment)) }
      yield* Acceptances.use((acceptances) => acceptances.accept(nextPayment.projectId, nextPayment.id, signatures))
      // With a legacy signature, the txid of the mined transaction differs from the quote's id.
      const minedTransaction = aKnownTransaction(aHash(), replacementTerms)
      network.unsignedIds.set(minedTransaction.txid, idOf(nextPayment))
      network.replace(minedTransaction)
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(transactionIn(fixture).substatus, "REPLACING")
      const secondTransaction = [...fixture.memory.transactions.values()][1]!
      assert.deepStrictEqual(replacedByDetails.in(transactionIn(fixture)), { transactionId: secondTransaction.id })
      network.mine([minedTransaction.txid], 2)
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(transactionIn(fixture).status, "CANCELLED")
      yield* runWorkerLater(MINUTE)
      assert.strictEqual([...fixture.memory.transactions.values()][1]!.status, "COMPLETED")
    })
  )

  paymentScenario(
    "waits for a missing UTXO for as long as nodes keep unconfirmed transactions, and then fails",
    ({ broadcast, network, fixture, terms }) =>
      Effect.gen(function* () {
        yield* broadcast()
        yield* runWorkerLater(MINUTE)
        // A reorg removes the transaction that created the UTXO, so the payment is invalid.
        network.loseUtxos()
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "COIN_MISSING")
        yield* runWorkerLater(13 * DAY)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        // The transaction that created the UTXO is mined again.
        network.mine([terms.inputs[0]!.txid])
        network.refusal = null
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "BROADCAST")
        network.loseUtxos()
        yield* runWorkerLater(MINUTE)
        yield* runWorkerLater(13 * DAY)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        yield* runWorkerLater(2 * DAY)
        assert.strictEqual(transactionIn(fixture).status, "FAILED")
        assert.strictEqual(transactionIn(fixture).failure!.code, "COIN_MISSING")
      })
  )

  paymentScenario("is unconfirmed again after a reorg", ({ broadcast, network, quote, fixture }) =>
    Effect.gen(function* () {
      yield* broadcast()
      yield* runWorkerLater(MINUTE)
      network.mine([idOf(quote)])
      yield* runWorkerLater(MINUTE)
      network.reorg(1)
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(transactionIn(fixture).movements, [])
      assert.strictEqual(transactionIn(fixture).substatus, "REORGED")
      assert.isNull(transactionIn(fixture).executedAt)
      network.mine([idOf(quote)], 2)
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
    })
  )

  paymentScenario("stays included while a server is behind", ({ broadcast, network, quote, fixture }) =>
    Effect.gen(function* () {
      yield* broadcast()
      yield* runWorkerLater(MINUTE)
      network.mine([idOf(quote)])
      yield* runWorkerLater(MINUTE)
      const includedTransaction = transactionIn(fixture)
      assert.strictEqual(includedTransaction.substatus, "INCLUDED")
      network.readHeight = 0
      yield* runWorkerLater(MINUTE)
      assert.deepStrictEqual(transactionIn(fixture), includedTransaction)
      network.readHeight = null
      network.mine([], 1)
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
    })
  )

  paymentScenario("is found in its block after the service was unavailable", ({ broadcast, network, quote, fixture }) =>
    Effect.gen(function* () {
      yield* broadcast()
      network.mine([idOf(quote)], 20)
      yield* runWorkerLater(MINUTE)
      yield* runWorkerLater(MINUTE)
      assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
    })
  )

  const depositScenario = (
    name: string,
    test: (story: PaymentScenario) => Effect.Effect<unknown, unknown, Acceptances | BitcoinBroadcasts | ExecutionWorker>
  ) => paymentScenario(name, test, { broadcastUntilMs: DateTime.toEpochMillis(at(30 * MINUTE)) })

  depositScenario(
    "to an address that has expired is no longer broadcast, and fails when nodes have dropped it",
    ({ broadcast, network, quote, fixture }) =>
      Effect.gen(function* () {
        yield* broadcast()
        yield* runWorkerLater(MINUTE)
        network.waitingTxids.clear()
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(network.waitingTxids.size, 1)
        yield* runWorkerLater(40 * MINUTE)
        network.waitingTxids.clear()
        const { length } = network.sentTxids
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "DEPOSIT_EXPIRED")
        yield* runWorkerLater(13 * DAY)
        assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
        // Another node has kept the payment, and a block includes it.
        network.mine([idOf(quote)])
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "INCLUDED")
        network.reorg(1, true)
        yield* runWorkerLater(2 * DAY)
        assert.strictEqual(transactionIn(fixture).failure!.code, "DEPOSIT_EXPIRED")
        assert.lengthOf(network.sentTxids, length)
      })
  )

  depositScenario(
    "to an address that has expired is not broadcast for the first time",
    ({ broadcast, network, fixture }) =>
      Effect.gen(function* () {
        network.refusal = new BroadcastRefused({ kind: "POLICY", reason: "mempool min fee not met" })
        yield* Effect.flip(broadcast())
        network.isDown = true
        yield* runWorkerLater(40 * MINUTE)
        network.refusal = null
        network.isDown = false
        const repeatedError = yield* Effect.flip(broadcast())
        assert.match(repeatedError.message, /expired/u)
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "DEPOSIT_EXPIRED")
        yield* runWorkerLater(15 * DAY)
        assert.strictEqual(transactionIn(fixture).failure!.code, "DEPOSIT_EXPIRED")
        assert.lengthOf(network.sentTxids, 1)
      })
  )

  depositScenario(
    "to an address that has expired is found if an earlier broadcast succeeded",
    ({ broadcast, network, quote, fixture }) =>
      Effect.gen(function* () {
        network.refusal = new BroadcastRefused({ kind: "POLICY", reason: "mempool min fee not met" })
        yield* Effect.flip(broadcast())
        network.isDown = true
        yield* runWorkerLater(40 * MINUTE)
        network.isDown = false
        network.waitingTxids.add(idOf(quote))
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).substatus, "BROADCAST")
        network.mine([idOf(quote)], 3)
        yield* runWorkerLater(MINUTE)
        assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
      })
  )
})
