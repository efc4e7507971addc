import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { displayedTotal } from "../../../accounting/history/index.ts"
import { aMovement } from "../../../accounting/history/Transaction.fixture.ts"
import { aHash, anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import { aQuote } from "../../quotes/Quote.fixture.ts"
import { UserOperations } from "../acceptance/UserOperations.ts"
import {
  anEvmFixture,
  anOutcome,
  type EvmFixture,
  evmFixtureLayer,
  include,
  reorgBlock,
  runWorker,
  runWorkerLater,
  setBlock,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../evm.fixture.ts"
import { eventsIn } from "../memoryStores.fixture.ts"
import { Finality } from "./Finality.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const TOKEN = {
  chainId: 137,
  address: anAddress(),
  name: "T",
  symbol: "T",
  decimals: 6,
  realWorldAsset: false
} as const

/** Runs a test with an operation in block 100 of Polygon, which requires 64 later blocks. */
const scenario = (
  name: string,
  test: (fixture: EvmFixture) => Effect.Effect<unknown, unknown, Effect.Services<typeof runWorker>>,
  finality: Layer.Layer<never> = Layer.empty
) =>
  it.effect(name, () => {
    const expectedMovement = aMovement({ direction: "OUT", asset: { chainId: 137, token: TOKEN.address }, amount: 4n })
    const quote = aQuote()
    const quoteWithExpected = { ...quote, transaction: { ...quote.transaction, expected: [expectedMovement] } }
    const fixture = anEvmFixture(quoteWithExpected)
    const [intent] = quote.intents
    fixture.listedTokens.push(TOKEN)
    return Effect.gen(function* () {
      yield* setClock(0)
      const hash = intent?.type === "USER_OPERATION" ? intent.hash : aHash()
      yield* UserOperations.use((operations) =>
        operations.execute(quote.projectId, { hash, signature: SIGNATURE, authorization: null })
      )
      include(fixture, 137, anOutcome({ transfers: [transferOf(fixture, 5n)] }))
      yield* runWorker
      yield* test(fixture)
    }).pipe(Effect.provide(evmFixtureLayer(fixture).pipe(Layer.provide(finality))))
  })

const senderOf = (fixture: EvmFixture) => {
  const [intent] = [...fixture.memory.quotes.values()][0]!.intents
  return intent?.type === "USER_OPERATION" ? intent.account.address : anAddress()
}
const transferOf = (fixture: EvmFixture, amount: bigint) => ({
  token: TOKEN.address,
  from: senderOf(fixture),
  to: anAddress(),
  amount
})

const INCLUSION_EVENTS = ["created PROCESSING SUBMITTED", "completed COMPLETED INCLUDED"]

describe("FinalityStage", () => {
  scenario("tracks a block until it has the required confirmations, without events", (fixture) =>
    Effect.gen(function* () {
      fixture.heads.set(137, 163n)
      yield* runWorkerLater()
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "INCLUDED")
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
      fixture.heads.set(137, 164n)
      yield* runWorkerLater()
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.deepStrictEqual(eventsIn(fixture.memory), INCLUSION_EVENTS)
    })
  )

  scenario("checks at most once per block time", (fixture) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runWorkerLater(1_999), 0)
      assert.strictEqual(yield* runWorkerLater(1), 1)
      assert.strictEqual(yield* runWorkerLater(1_999), 0)
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario("restarts an operation if a reorg replaced its block", (fixture) =>
    Effect.gen(function* () {
      const transactionBefore = transactionIn(fixture)
      assert.strictEqual(displayedTotal(transactionBefore, "OUT")!.amount, 5n)
      assert.strictEqual(transactionBefore.movements.length, 2)
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      const reorgedTransaction = transactionIn(fixture)
      assert.strictEqual(stageNameIn(fixture), "inclusion")
      assert.deepStrictEqual([reorgedTransaction.status, reorgedTransaction.substatus], ["PROCESSING", "REORGED"])
      assert.deepStrictEqual(reorgedTransaction.movements, [])
      assert.deepStrictEqual(reorgedTransaction.legs, [
        { chainId: 137, hash: null, block: null, state: "PENDING", stage: 0 }
      ])
      assert.isNull(reorgedTransaction.executedAt)
      // The transaction is pending again, so it shows the expected amounts.
      assert.strictEqual(displayedTotal(reorgedTransaction, "OUT")!.amount, 4n)

      include(fixture, 137, anOutcome({ blockNumber: 101n, transfers: [transferOf(fixture, 6n)] }), 64n)
      yield* runWorker
      yield* runWorkerLater()
      assert.strictEqual(displayedTotal(transactionIn(fixture), "OUT")!.amount, 6n)
      assert.strictEqual(transactionIn(fixture).movements.length, 2)
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        ...INCLUSION_EVENTS,
        "reorged PROCESSING REORGED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  scenario("neither reverts nor ends an operation while nodes disagree", (fixture) =>
    Effect.gen(function* () {
      fixture.nodesAgree = false
      fixture.heads.set(137, 164n)
      yield* runWorkerLater()
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), INCLUSION_EVENTS)
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
      fixture.nodesAgree = true
      yield* runWorkerLater()
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged PROCESSING REORGED")
    })
  )

  scenario("restarts an operation whose block nodes no longer return, and waits while nodes disagree", (fixture) =>
    Effect.gen(function* () {
      fixture.blocks.set(137, [])
      fixture.outcome = () => Effect.succeedNone
      fixture.heads.set(137, 163n)
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "finality")
      fixture.heads.set(137, 164n)
      fixture.nodesAgree = false
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "finality")
      fixture.nodesAgree = true
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "inclusion")
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged PROCESSING REORGED")
      include(fixture, 137, anOutcome({ blockNumber: 165n }), 64n)
      yield* runWorker
      yield* runWorkerLater()
      assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
    })
  )

  scenario("reverts a failure if a reorg removed its block", (fixture) =>
    Effect.gen(function* () {
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      include(fixture, 137, anOutcome({ blockNumber: 101n, success: false }))
      yield* runWorker
      assert.strictEqual(transactionIn(fixture).failure!.code, "REVERTED")
      reorgBlock(fixture, 137, 101n)
      yield* runWorkerLater()
      assert.isNull(transactionIn(fixture).failure)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged PROCESSING REORGED")
      include(fixture, 137, anOutcome({ blockNumber: 102n }))
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario("changes nothing if a node is behind", (fixture) =>
    Effect.gen(function* () {
      fixture.blocks.set(137, [])
      fixture.heads.set(137, 99n)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), INCLUSION_EVENTS)
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.isNull(storedExecutionIn(fixture).claim)
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario(
    "checks the block once more if no confirmations are required",
    (fixture) =>
      Effect.gen(function* () {
        yield* runWorker
        assert.isNull(storedExecutionIn(fixture).dueAt)
        assert.strictEqual(transactionIn(fixture).legs[0]!.state, "FINAL")
      }),
    Layer.succeed(Finality, () => ({ blocks: 0, pollEveryMs: 0 }))
  )

  scenario("returns to the stage of the earlier of two legs that a reorg removed", (fixture) =>
    Effect.gen(function* () {
      const { id } = storedExecutionIn(fixture).execution
      const transaction = fixture.memory.transactions.get(id)!
      const [first] = transaction.legs
      const secondLeg = { ...first!, chainId: 10 as const, stage: 1, block: { number: 7n, hash: aHash() } }
      const arrivedMovement = aMovement({ direction: "IN", leg: 1 })
      const fiatMovement = aMovement({ direction: "OUT", leg: null })
      fixture.memory.transactions.set(id, {
        ...transaction,
        legs: [first!, secondLeg],
        movements: [...transaction.movements, arrivedMovement, fiatMovement]
      })
      setBlock(fixture, 10, { number: 7n, hash: aHash() })
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      assert.strictEqual(storedExecutionIn(fixture).execution.at, 0)
      assert.deepStrictEqual(
        transactionIn(fixture).legs.map(({ state }) => state),
        ["PENDING", "PENDING"]
      )
      // A reorg does not remove off-chain movements.
      assert.deepStrictEqual(transactionIn(fixture).movements, [fiatMovement])
    })
  )

  scenario("does not change the legs before the removed one", (fixture) =>
    Effect.gen(function* () {
      const { id } = storedExecutionIn(fixture).execution
      const transaction = fixture.memory.transactions.get(id)!
      const [first] = transaction.legs
      const secondLeg = { ...first!, chainId: 10 as const, stage: 1, block: { number: 7n, hash: aHash() } }
      fixture.memory.transactions.set(id, {
        ...transaction,
        legs: [first!, secondLeg],
        movements: [...transaction.movements, aMovement({ direction: "IN", leg: 1 })]
      })
      setBlock(fixture, 10, { number: 7n, hash: aHash() })
      yield* runWorkerLater()
      assert.strictEqual(storedExecutionIn(fixture).execution.at, 1)
      assert.deepStrictEqual(transactionIn(fixture).legs[0], first)
      assert.lengthOf(transactionIn(fixture).movements, 2)
    })
  )
})
