import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { pendingLeg, transactionHashOf } from "../../../accounting/history/index.ts"
import { aDraft } from "../../../accounting/history/Transaction.fixture.ts"
import { anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { type Hash32, HexBytes } from "../../../foundation/primitives/index.ts"
import { anAccount } from "../../../wallets/registry/Wallet.fixture.ts"
import { anOperationIntent, aQuote, aUserOperation } from "../../quotes/Quote.fixture.ts"
import type { OperationOutcome } from "../../user-operations/index.ts"
import {
  anEvmFixture,
  anOutcome,
  aSimulation,
  type EvmFixture,
  evmFixtureLayer,
  runWorker,
  runWorkerLater,
  setBlock,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../evm.fixture.ts"
import { eventsIn } from "../memoryStores.fixture.ts"
import { UserOperations } from "./UserOperations.ts"

/**
 * Tests of a quote with two operations. The first operation grants the paymaster's allowance, the second one makes the
 * calls.
 */

const FIRST_SIGNATURE = HexBytes.make(`0x${"1a".repeat(65)}`)
const SECOND_SIGNATURE = HexBytes.make(`0x${"2a".repeat(65)}`)
const GAS_TOKEN = {
  chainId: 137,
  address: anAddress(),
  name: "G",
  symbol: "G",
  decimals: 6,
  realWorldAsset: false
} as const

const twoOperations = () => {
  const account = anAccount()
  const operation = aUserOperation({ sender: account.address })
  const firstIntent = anOperationIntent({ account, operation })
  const secondIntent = anOperationIntent({ account, operation: { ...operation, nonce: 1n } })
  const quote = aQuote({
    id: secondIntent.hash,
    walletAddress: account.address,
    intents: [firstIntent, secondIntent],
    stages: [
      { name: "inclusion", intent: 0, status: "PROCESSING" },
      { name: "inclusion", intent: 1, status: "PROCESSING" },
      { name: "finality", intent: null, status: "COMPLETED" }
    ],
    transaction: aDraft({ legs: [pendingLeg(137, 1), pendingLeg(137, 0)] })
  })
  return { quote, first: firstIntent, second: secondIntent }
}

type TwoOperations = ReturnType<typeof twoOperations>

const execute = ({ first, quote, second }: TwoOperations, changes = {}) =>
  UserOperations.use((operations) =>
    operations.execute(quote.projectId, {
      hash: second.hash,
      signature: SECOND_SIGNATURE,
      authorization: null,
      signatures: { [first.hash]: FIRST_SIGNATURE },
      ...changes
    })
  )

interface TestContext {
  readonly fixture: EvmFixture
  readonly pair: TwoOperations
  /** The signatures of the operations that the bundler has received. */
  readonly submittedOperations: Array<HexBytes>
  readonly outcomes: Map<Hash32, OperationOutcome>
  /** Includes an operation in a block. */
  readonly include: (
    intent: TwoOperations["first"],
    blockNumber: bigint,
    fields?: Partial<OperationOutcome>
  ) => OperationOutcome
}

const makeContext = (): TestContext => {
  const pair = twoOperations()
  const fixture = anEvmFixture(pair.quote)
  fixture.listedTokens.push(GAS_TOKEN)
  const submittedSignatures: Array<HexBytes> = []
  const outcomes = new Map<Hash32, OperationOutcome>()
  fixture.submit = (_operation, signature) => Effect.sync(() => void submittedSignatures.push(signature))
  fixture.outcome = (_operation, hash) => Effect.succeed(Option.fromNullishOr(outcomes.get(hash)))
  const include: TestContext["include"] = ({ account, hash }, blockNumber, fields = {}) => {
    const payment = { token: GAS_TOKEN.address, from: account.address, to: anAddress(), amount: blockNumber }
    const outcome = anOutcome({ blockNumber, tokenPayment: payment, ...fields })
    outcomes.set(hash, outcome)
    setBlock(fixture, 137, { number: blockNumber, hash: outcome.blockHash })
    fixture.heads.set(137, blockNumber)
    return outcome
  }
  return { fixture, pair, submittedOperations: submittedSignatures, outcomes, include }
}

const scenario = <A, E>(
  name: string,
  test: (context: TestContext) => Effect.Effect<A, E, Effect.Services<typeof runWorker> | UserOperations>
) => {
  const context = makeContext()
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* setClock(0)
      yield* test(context)
    }).pipe(Effect.provide(evmFixtureLayer(context.fixture)))
  )
}

const DEADLINE = 180_000
const FINALITY_MS = 128_000
const secondsAt = (milliseconds: number) => Math.floor(DateTime.toEpochMillis(at(milliseconds)) / 1000)

describe("A quote of two operations", () => {
  scenario("requires both signatures, and names a missing or wrong one", ({ pair, fixture }) =>
    Effect.gen(function* () {
      const field = `signatures.${pair.first.hash}`
      const missingSignature = yield* Effect.flip(execute(pair, { signatures: {} }))
      assert.strictEqual(missingSignature._tag === "INVALID_SIGNATURE" && missingSignature.field, field)
      assert.include(missingSignature.message, "missing")
      fixture.owner = anAddress()
      const wrongSignature = yield* Effect.flip(execute(pair))
      assert.strictEqual(wrongSignature._tag === "INVALID_SIGNATURE" && wrongSignature.field, field)
      assert.strictEqual(fixture.memory.executions.size, 0)
    })
  )

  scenario("is accepted under either hash, with both signatures and both deadlines", ({ pair, fixture }) =>
    Effect.gen(function* () {
      fixture.simulate = ({ nonce }) => Effect.succeed(aSimulation({ validUntil: secondsAt(DEADLINE) + Number(nonce) }))
      const { first, second } = pair
      const execution = yield* execute(pair)
      assert.deepStrictEqual(execution.signatures, { [first.hash]: FIRST_SIGNATURE, [second.hash]: SECOND_SIGNATURE })
      assert.deepStrictEqual(
        execution.stages.map(({ deadline }) => deadline && DateTime.toEpochMillis(deadline) / 1000),
        [secondsAt(DEADLINE), secondsAt(DEADLINE) + 1, null]
      )
      assert.strictEqual(transactionIn(fixture).userOperationHash, second.hash)
      const swappedRequest = {
        hash: first.hash,
        signature: FIRST_SIGNATURE,
        signatures: { [second.hash]: SECOND_SIGNATURE }
      }
      assert.deepStrictEqual(yield* execute(pair, swappedRequest), execution)
    })
  )

  scenario("is simulated in order, the second operation with the state changes of the first", ({ pair, fixture }) =>
    Effect.gen(function* () {
      const changes = { [anAddress()]: { storage: {} } }
      const simulations: Array<unknown> = []
      fixture.stateChanges = ({ nonce }) => Effect.succeed(nonce === 0n ? changes : {})
      fixture.simulate = ({ nonce }, signature, _by, after) => {
        simulations[Number(nonce)] = [signature, after]
        return Effect.succeed(aSimulation())
      }
      yield* execute(pair)
      assert.deepStrictEqual(simulations, [
        [FIRST_SIGNATURE, undefined],
        [SECOND_SIGNATURE, changes]
      ])
    })
  )

  scenario("submits the second operation after a block includes the first, and reports one transaction", (context) =>
    Effect.gen(function* () {
      const { include, pair, fixture, submittedOperations } = context
      yield* execute(pair)
      yield* runWorker
      assert.deepStrictEqual(submittedOperations, [FIRST_SIGNATURE])
      const firstOutcome = include(pair.first, 100n)
      yield* runWorkerLater()
      assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
      assert.isNull(transactionIn(fixture).executedAt)
      assert.strictEqual(transactionHashOf(transactionIn(fixture))?.hash, firstOutcome.transactionHash)
      yield* runWorker
      assert.deepStrictEqual(submittedOperations, [FIRST_SIGNATURE, SECOND_SIGNATURE])
      const outcome = include(pair.second, 101n)
      yield* runWorkerLater()
      const { legs, movements, status } = transactionIn(fixture)
      assert.strictEqual(status, "COMPLETED")
      assert.deepStrictEqual(
        legs.map(({ hash }) => hash),
        [outcome.transactionHash, firstOutcome.transactionHash]
      )
      assert.deepStrictEqual(
        movements.map(({ amount, leg, role }) => [role, amount, leg]),
        [
          ["GAS", 100n, 1],
          ["GAS", 101n, 0]
        ]
      )
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        "created PROCESSING SUBMITTED",
        "updated PROCESSING SUBMITTED",
        "completed COMPLETED INCLUDED"
      ])
      fixture.heads.set(137, 200n)
      yield* runWorkerLater()
      assert.deepStrictEqual(
        transactionIn(fixture).legs.map(({ state }) => state),
        ["FINAL", "FINAL"]
      )
    })
  )

  scenario("fails if the first operation reverts, and never submits the second", (context) =>
    Effect.gen(function* () {
      const { include, pair, fixture, submittedOperations } = context
      yield* execute(pair)
      include(pair.first, 100n, { success: false, revert: { decoded: "AA50", raw: HexBytes.make("0x"), utf8: "" } })
      yield* runWorker
      assert.deepStrictEqual(transactionIn(fixture).failure, { code: "REVERTED", message: "AA50" })
      fixture.heads.set(137, 200n)
      yield* runWorkerLater()
      yield* runWorkerLater()
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.deepStrictEqual(submittedOperations, [])
    })
  )

  scenario("fails if the first operation is not included in time, and never submits the second", (context) =>
    Effect.gen(function* () {
      const { pair, fixture, submittedOperations } = context
      fixture.simulate = () => Effect.succeed(aSimulation({ validUntil: secondsAt(DEADLINE) }))
      yield* execute(pair)
      yield* runWorker
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 2_000)
      yield* setClock(DEADLINE + 1_000)
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED NOT_INCLUDED")
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.deepStrictEqual(submittedOperations, [FIRST_SIGNATURE])
    })
  )

  scenario("fails if the second operation is not included in time", ({ include, pair, fixture }) =>
    Effect.gen(function* () {
      fixture.simulate = () => Effect.succeed(aSimulation({ validUntil: secondsAt(DEADLINE) }))
      yield* execute(pair)
      include(pair.first, 100n)
      yield* runWorker
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 2_000)
      yield* setClock(DEADLINE + 1_000)
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED NOT_INCLUDED")
      // The first operation's block is not final yet, so it is still checked.
      fixture.heads.set(137, 200n)
      yield* runWorkerLater()
      assert.isTrue(transactionIn(fixture).legs.some(({ state }) => state === "FINAL"))
      assert.strictEqual(transactionIn(fixture).status, "FAILED")
      assert.isNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario("returns to the first operation if a reorg removes its block before the second is included", (context) =>
    Effect.gen(function* () {
      const { include, outcomes, pair, fixture, submittedOperations } = context
      yield* execute(pair)
      include(pair.first, 100n)
      yield* runWorker
      yield* runWorkerLater()
      assert.deepStrictEqual(submittedOperations, [SECOND_SIGNATURE])
      outcomes.clear()
      setBlock(fixture, 137, { number: 100n, hash: anOutcome().blockHash })
      yield* runWorkerLater()
      assert.strictEqual(storedExecutionIn(fixture).execution.at, 0)
      assert.deepStrictEqual(transactionIn(fixture).movements, [])
      yield* runWorker
      assert.deepStrictEqual(submittedOperations, [SECOND_SIGNATURE, FIRST_SIGNATURE])
      include(pair.first, 101n)
      yield* runWorkerLater()
      include(pair.second, 102n)
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.strictEqual(transactionIn(fixture).status, "COMPLETED")
    })
  )

  scenario(
    "restarts only the second operation if a reorg removes only its block",
    ({ include, outcomes, pair, fixture }) =>
      Effect.gen(function* () {
        yield* execute(pair)
        include(pair.first, 100n)
        yield* runWorker
        include(pair.second, 101n)
        yield* runWorkerLater()
        outcomes.delete(pair.second.hash)
        setBlock(fixture, 137, { number: 101n, hash: anOutcome().blockHash })
        yield* runWorkerLater()
        assert.strictEqual(storedExecutionIn(fixture).execution.at, 1)
        assert.lengthOf(transactionIn(fixture).movements, 1)
      })
  )
})
