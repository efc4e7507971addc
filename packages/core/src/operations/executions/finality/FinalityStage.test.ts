import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shownSide } from "../../../accounting/history/index.ts"
import { aMovement } from "../../../accounting/history/Transaction.fixture.ts"
import { aHash, anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import { aQuote } from "../../quotes/Quote.fixture.ts"
import { UserOperations } from "../acceptance/UserOperations.ts"
import {
  anEvmScene,
  anOutcome,
  type EvmScene,
  evmSceneLayer,
  follow,
  followLater,
  setClock,
  include,
  reorgBlock,
  setBlock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../evmScene.fixture.ts"
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
  test: (scene: EvmScene) => Effect.Effect<unknown, unknown, Effect.Services<typeof follow>>,
  finality: Layer.Layer<never> = Layer.empty
) =>
  it.effect(name, () => {
    const expected = aMovement({ direction: "OUT", asset: { chainId: 137, token: TOKEN.address }, amount: 4n })
    const quote = aQuote()
    const quoteWithExpected = { ...quote, transaction: { ...quote.transaction, expected: [expected] } }
    const scene = anEvmScene(quoteWithExpected)
    const [intent] = quote.intents
    scene.listedTokens.push(TOKEN)
    return Effect.gen(function* () {
      yield* setClock(0)
      const hash = intent?.type === "USER_OPERATION" ? intent.hash : aHash()
      yield* UserOperations.use((operations) =>
        operations.execute(quote.projectId, { hash, signature: SIGNATURE, authorization: null })
      )
      include(scene, 137, anOutcome({ transfers: [transferOf(scene, 5n)] }))
      yield* follow
      yield* test(scene)
    }).pipe(Effect.provide(evmSceneLayer(scene).pipe(Layer.provide(finality))))
  })

const senderOf = (scene: EvmScene) => {
  const [intent] = [...scene.memory.quotes.values()][0]!.intents
  return intent?.type === "USER_OPERATION" ? intent.account.address : anAddress()
}
const transferOf = (scene: EvmScene, amount: bigint) => ({
  token: TOKEN.address,
  from: senderOf(scene),
  to: anAddress(),
  amount
})

const INCLUDED = ["created PROCESSING SUBMITTED", "completed COMPLETED INCLUDED"]

describe("FinalityStage", () => {
  scenario("tracks a block until it has the required confirmations, without events", (scene) =>
    Effect.gen(function* () {
      scene.heads.set(137, 163n)
      yield* followLater()
      assert.strictEqual(transactionIn(scene).legs[0]!.state, "INCLUDED")
      assert.isNotNull(storedExecutionIn(scene).dueAt)
      scene.heads.set(137, 164n)
      yield* followLater()
      assert.strictEqual(transactionIn(scene).legs[0]!.state, "FINAL")
      assert.isNull(storedExecutionIn(scene).dueAt)
      assert.deepStrictEqual(eventsIn(scene.memory), INCLUDED)
    })
  )

  scenario("checks at most once per block time", (scene) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* followLater(1_999), 0)
      assert.strictEqual(yield* followLater(1), 1)
      assert.strictEqual(yield* followLater(1_999), 0)
      assert.isNotNull(storedExecutionIn(scene).dueAt)
    })
  )

  scenario("restarts an operation if a reorg replaced its block", (scene) =>
    Effect.gen(function* () {
      const transactionBefore = transactionIn(scene)
      assert.strictEqual(shownSide(transactionBefore, "OUT")!.amount, 5n)
      assert.strictEqual(transactionBefore.movements.length, 2)
      reorgBlock(scene, 137, 100n)
      yield* followLater()
      const reorgedTransaction = transactionIn(scene)
      assert.strictEqual(stageNameIn(scene), "inclusion")
      assert.deepStrictEqual([reorgedTransaction.status, reorgedTransaction.substatus], ["PROCESSING", "REORGED"])
      assert.deepStrictEqual(reorgedTransaction.movements, [])
      assert.deepStrictEqual(reorgedTransaction.legs, [{ chainId: 137, hash: null, block: null, state: "PENDING", stage: 0 }])
      assert.isNull(reorgedTransaction.executedAt)
      // The transaction is pending again, so it shows the expected amounts.
      assert.strictEqual(shownSide(reorgedTransaction, "OUT")!.amount, 4n)

      include(scene, 137, anOutcome({ blockNumber: 101n, transfers: [transferOf(scene, 6n)] }), 64n)
      yield* follow
      yield* followLater()
      assert.strictEqual(shownSide(transactionIn(scene), "OUT")!.amount, 6n)
      assert.strictEqual(transactionIn(scene).movements.length, 2)
      assert.strictEqual(transactionIn(scene).legs[0]!.state, "FINAL")
      assert.deepStrictEqual(eventsIn(scene.memory), [
        ...INCLUDED,
        "reorged PROCESSING REORGED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  scenario("neither reverts nor ends an operation while nodes disagree", (scene) =>
    Effect.gen(function* () {
      scene.nodesAgree = false
      scene.heads.set(137, 164n)
      yield* followLater()
      reorgBlock(scene, 137, 100n)
      yield* followLater()
      assert.deepStrictEqual(eventsIn(scene.memory), INCLUDED)
      assert.strictEqual(stageNameIn(scene), "finality")
      assert.isNotNull(storedExecutionIn(scene).dueAt)
      scene.nodesAgree = true
      yield* followLater()
      assert.strictEqual(eventsIn(scene.memory).at(-1), "reorged PROCESSING REORGED")
    })
  )

  scenario("restarts an operation whose block nodes no longer return, and waits while nodes disagree", (scene) =>
    Effect.gen(function* () {
      scene.blocks.set(137, [])
      scene.outcome = () => Effect.succeedNone
      scene.heads.set(137, 163n)
      yield* followLater()
      assert.strictEqual(stageNameIn(scene), "finality")
      scene.heads.set(137, 164n)
      scene.nodesAgree = false
      yield* followLater()
      assert.strictEqual(stageNameIn(scene), "finality")
      scene.nodesAgree = true
      yield* followLater()
      assert.strictEqual(stageNameIn(scene), "inclusion")
      assert.strictEqual(eventsIn(scene.memory).at(-1), "reorged PROCESSING REORGED")
      include(scene, 137, anOutcome({ blockNumber: 165n }), 64n)
      yield* follow
      yield* followLater()
      assert.strictEqual(transactionIn(scene).legs[0]!.state, "FINAL")
    })
  )

  scenario("reverts a failure if a reorg removed its block", (scene) =>
    Effect.gen(function* () {
      reorgBlock(scene, 137, 100n)
      yield* followLater()
      include(scene, 137, anOutcome({ blockNumber: 101n, success: false }))
      yield* follow
      assert.strictEqual(transactionIn(scene).failure!.code, "REVERTED")
      reorgBlock(scene, 137, 101n)
      yield* followLater()
      assert.isNull(transactionIn(scene).failure)
      assert.strictEqual(eventsIn(scene.memory).at(-1), "reorged PROCESSING REORGED")
      include(scene, 137, anOutcome({ blockNumber: 102n }))
      yield* follow
      assert.strictEqual(eventsIn(scene.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario("changes nothing if a node is behind", (scene) =>
    Effect.gen(function* () {
      scene.blocks.set(137, [])
      scene.heads.set(137, 99n)
      yield* followLater()
      assert.deepStrictEqual(eventsIn(scene.memory), INCLUDED)
      assert.strictEqual(stageNameIn(scene), "finality")
      assert.isNull(storedExecutionIn(scene).claim)
      assert.isNotNull(storedExecutionIn(scene).dueAt)
    })
  )

  scenario(
    "checks the block once more if no confirmations are required",
    (scene) =>
      Effect.gen(function* () {
        yield* follow
        assert.isNull(storedExecutionIn(scene).dueAt)
        assert.strictEqual(transactionIn(scene).legs[0]!.state, "FINAL")
      }),
    Layer.succeed(Finality, () => ({ blocks: 0, pollEveryMs: 0 }))
  )

  scenario("returns to the stage of the earlier of two legs that a reorg removed", (scene) =>
    Effect.gen(function* () {
      const { id } = storedExecutionIn(scene).execution
      const transaction = scene.memory.transactions.get(id)!
      const [first] = transaction.legs
      const secondLeg = { ...first!, chainId: 10 as const, stage: 1, block: { number: 7n, hash: aHash() } }
      const arrived = aMovement({ direction: "IN", leg: 1 })
      const fiatMovement = aMovement({ direction: "OUT", leg: null })
      scene.memory.transactions.set(id, {
        ...transaction,
        legs: [first!, secondLeg],
        movements: [...transaction.movements, arrived, fiatMovement]
      })
      setBlock(scene, 10, { number: 7n, hash: aHash() })
      reorgBlock(scene, 137, 100n)
      yield* followLater()
      assert.strictEqual(storedExecutionIn(scene).execution.at, 0)
      assert.deepStrictEqual(
        transactionIn(scene).legs.map(({ state }) => state),
        ["PENDING", "PENDING"]
      )
      // A reorg does not remove off-chain movements.
      assert.deepStrictEqual(transactionIn(scene).movements, [fiatMovement])
    })
  )

  scenario("does not change the legs before the removed one", (scene) =>
    Effect.gen(function* () {
      const { id } = storedExecutionIn(scene).execution
      const transaction = scene.memory.transactions.get(id)!
      const [first] = transaction.legs
      const secondLeg = { ...first!, chainId: 10 as const, stage: 1, block: { number: 7n, hash: aHash() } }
      scene.memory.transactions.set(id, {
        ...transaction,
        legs: [first!, secondLeg],
        movements: [...transaction.movements, aMovement({ direction: "IN", leg: 1 })]
      })
      setBlock(scene, 10, { number: 7n, hash: aHash() })
      yield* followLater()
      assert.strictEqual(storedExecutionIn(scene).execution.at, 1)
      assert.deepStrictEqual(transactionIn(scene).legs[0], first)
      assert.lengthOf(transactionIn(scene).movements, 2)
    })
  )
})
