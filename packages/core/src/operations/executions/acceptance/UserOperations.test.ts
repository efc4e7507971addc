import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { aHash, anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import type { Quote } from "../../quotes/index.ts"
import { anOperationIntent, aQuote } from "../../quotes/Quote.fixture.ts"
import { OperationRejected } from "../../user-operations/index.ts"
import { anExecution } from "../Execution.fixture.ts"
import {
  anEvmFixture,
  anOutcome,
  aSimulation,
  type EvmFixture,
  evmFixtureLayer,
  include,
  runWorker,
  runWorkerLater,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../evm.fixture.ts"
import { inclusionState } from "../inclusion/InclusionStage.ts"
import { eventsIn } from "../memoryStores.fixture.ts"
import { UserOperations } from "./UserOperations.ts"

const REVERT = { decoded: "AA25 invalid account nonce", raw: HexBytes.make("0x"), utf8: "" }
const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const AUTHORIZATION = HexBytes.make(`0x${"7a".repeat(65)}`)
const PRICED_TOKEN = anAddress()

const operationOf = ({ intents }: Quote) => intents.find((intent) => intent.type === "USER_OPERATION")!

const execute = (quote: Quote, fields: Partial<Parameters<UserOperations["Service"]["execute"]>[1]> = {}) =>
  UserOperations.use((operations) =>
    operations.execute(quote.projectId, {
      hash: operationOf(quote).hash,
      signature: SIGNATURE,
      authorization: null,
      ...fields
    })
  )

const scenario = <A, E>(
  name: string,
  test: (fixture: EvmFixture, quote: Quote) => Effect.Effect<A, E, Effect.Services<typeof runWorker> | UserOperations>,
  quote: Quote = aQuote()
) => {
  const fixture = anEvmFixture(quote)
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* setClock(0)
      yield* test(fixture, quote)
    }).pipe(Effect.provide(evmFixtureLayer(fixture)))
  )
}

describe("UserOperations.execute", () => {
  scenario("accepts a quote once, with one transaction, one execution and their events", (fixture, quote) =>
    Effect.gen(function* () {
      fixture.heads.set(137, 7n)
      const execution = yield* execute(quote)
      assert.deepStrictEqual(execution, storedExecutionIn(fixture).execution)
      assert.deepStrictEqual(execution.signatures, { [operationOf(quote).hash]: SIGNATURE })
      assert.deepStrictEqual(
        execution.stages.map(({ name, state }) => [name, state]),
        [
          ["inclusion", inclusionState.encode({ fromBlock: 7n })],
          ["finality", "null"]
        ]
      )
      // The operation has no deadline, so no contract would ever reject it.
      assert.isNull(execution.stages[0]!.deadline)
      const transaction = transactionIn(fixture)
      assert.strictEqual(transaction.id, execution.id)
      assert.strictEqual(transaction.userOperationHash, operationOf(quote).hash)
      assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED"])
      // A repeated request must return the stored result without requests to upstreams.
      fixture.simulate = () => Effect.die(new Error("simulated again"))
      assert.deepStrictEqual(yield* execute(quote), execution)
      assert.lengthOf(fixture.memory.events, 1)
    })
  )

  scenario("accepts one of many concurrent requests, and returns its response to all of them", (fixture, quote) =>
    Effect.gen(function* () {
      fixture.simulate = () => Effect.as(Effect.yieldNow, aSimulation())
      const responses = yield* Effect.all(
        Array.from({ length: 5 }, () => execute(quote)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(responses.map(({ id }) => id)).size, 1)
      assert.lengthOf(fixture.memory.events, 1)
      assert.strictEqual(fixture.memory.executions.size, 1)
    })
  )

  scenario("returns the result of another request that was accepted during its own checks", (fixture, quote) =>
    Effect.gen(function* () {
      const acceptedExecution = anExecution({}, quote)
      fixture.simulate = () =>
        Effect.sync(() => {
          // In the meantime, the other request is accepted and its operation is executed.
          fixture.memory.executions.set(acceptedExecution.id, {
            execution: acceptedExecution,
            version: 0,
            dueAt: null,
            claim: null
          })
          return { revert: REVERT } as never
        })
      assert.deepStrictEqual(yield* execute(quote), acceptedExecution)
    })
  )

  scenario("fails with QUOTE_STALE if no request was accepted", (fixture, quote) =>
    Effect.gen(function* () {
      fixture.simulate = () => Effect.succeed({ revert: REVERT } as never)
      assert.strictEqual((yield* Effect.flip(execute(quote)))._tag, "QUOTE_STALE")
      assert.strictEqual(fixture.memory.executions.size, 0)
      assert.strictEqual(fixture.memory.acceptedQuotes.size, 0)
      assert.lengthOf(fixture.memory.events, 0)
    })
  )

  scenario("does not find an operation of another project", (_fixture, quote) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(execute({ ...quote, projectId: aProjectId() }))
      assert.strictEqual(error._tag, "USER_OPERATION_NOT_FOUND")
    })
  )

  scenario("rejects a signature by a key that is not the owner's, also after acceptance", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      fixture.owner = anAddress()
      const error = yield* Effect.flip(execute(quote))
      assert.strictEqual(error._tag, "INVALID_SIGNATURE")
    })
  )

  scenario("accepts a quote until its last millisecond", (fixture, quote) =>
    Effect.gen(function* () {
      yield* setClock(60_001)
      assert.strictEqual((yield* Effect.flip(execute(quote)))._tag, "USER_OPERATION_EXPIRED")
      assert.strictEqual(fixture.memory.executions.size, 0)
      yield* setClock(60_000)
      yield* execute(quote)
      yield* setClock(60_001)
      yield* execute(quote)
    })
  )

  scenario("rejects an account that has changed since its creation", (fixture, quote) =>
    Effect.gen(function* () {
      fixture.accountChange = "its implementation has changed"
      const error = yield* Effect.flip(execute(quote))
      assert.strictEqual(error._tag, "ACCOUNT_CHANGED")
      assert.include(error.message, "its implementation has changed")
      assert.isEmpty(fixture.memory.events)
    })
  )

  const authorizationTuple = { chainId: 137, address: anAddress(), nonce: 3, hash: aHash() } as const
  const plainIntent = anOperationIntent()
  const delegatingQuote: Quote = aQuote({
    intents: [
      {
        ...plainIntent,
        operation: { ...plainIntent.operation, authorization: authorizationTuple },
        signData: [
          ...plainIntent.signData,
          {
            type: "AUTHORIZATION",
            method: "eip7702_authorization",
            hash: authorizationTuple.hash,
            authorization: authorizationTuple
          }
        ]
      }
    ]
  })

  scenario(
    "also requires the authorization's signature, and stores both keyed by their elements",
    (fixture, quote) =>
      Effect.gen(function* () {
        const missingSignature = yield* Effect.flip(execute(quote))
        assert.strictEqual(missingSignature._tag === "INVALID_SIGNATURE" && missingSignature.field, "authorization")
        fixture.transactionCount = 4n
        assert.strictEqual(
          (yield* Effect.flip(execute(quote, { authorization: AUTHORIZATION })))._tag,
          "AUTHORIZATION_STALE"
        )
        fixture.transactionCount = 3n
        const { signatures } = yield* execute(quote, { authorization: AUTHORIZATION })
        assert.deepStrictEqual(signatures, {
          [operationOf(quote).hash]: SIGNATURE,
          [authorizationTuple.hash]: AUTHORIZATION
        })
      }),
    delegatingQuote
  )

  scenario(
    "accepts an account that delegates to another contract, if the quote's authorization changes the delegation",
    (fixture, quote) =>
      Effect.gen(function* () {
        fixture.transactionCount = 3n
        fixture.accountChange = "it no longer delegates to the expected contract"
        yield* execute(quote, { authorization: AUTHORIZATION })
        assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED"])
      }),
    delegatingQuote
  )
})

describe("Inclusion", () => {
  const DEADLINE = 180_000
  /** Duration of the 64 blocks after which a Polygon block is final. */
  const FINALITY_MS = 128_000

  const setDeadline = (fixture: EvmFixture) => {
    fixture.simulate = () => Effect.succeed(aSimulation({ validUntil: secondsAt(DEADLINE) }))
  }
  const secondsAt = (milliseconds: number) => Math.floor(DateTime.toEpochMillis(at(milliseconds)) / 1000)

  scenario("fails an operation when the block after its deadline is final, and not before", (fixture, quote) =>
    Effect.gen(function* () {
      setDeadline(fixture)
      yield* execute(quote)
      yield* setClock(DEADLINE + 1_000)
      fixture.blockTimestamp = secondsAt(DEADLINE - 1_000)
      yield* runWorker
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS)
      yield* runWorkerLater()
      assert.lengthOf(fixture.memory.events, 1)
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 2_000)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED", "failed FAILED NOT_INCLUDED"])
      assert.isNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario("does not fail an operation while nodes disagree about whether a block includes it", (fixture, quote) =>
    Effect.gen(function* () {
      setDeadline(fixture)
      yield* execute(quote)
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 60_000)
      fixture.absentUntil = () => Effect.succeed(null)
      yield* setClock(DEADLINE + FINALITY_MS + 60_000)
      yield* runWorker
      // A node that is behind can't prove anything about blocks after its head.
      fixture.absentUntil = () => Effect.succeed(secondsAt(DEADLINE + FINALITY_MS - 1_000))
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED"])
      fixture.absentUntil = () => Effect.succeed(fixture.blockTimestamp)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED NOT_INCLUDED")
    })
  )

  scenario("waits at most a day after the deadline for a chain without new blocks", (fixture, quote) =>
    Effect.gen(function* () {
      setDeadline(fixture)
      yield* execute(quote)
      yield* setClock(DEADLINE + 24 * 3_600_000 - 1_000)
      yield* runWorker
      assert.lengthOf(fixture.memory.events, 1)
      yield* runWorkerLater(4 * 3_600_000)
      assert.deepStrictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED NOT_INCLUDED")
    })
  )

  scenario("checks an operation without a deadline rarely, as long as it can execute", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      fixture.blockTimestamp = secondsAt(40 * 24 * 3_600_000)
      yield* setClock(40 * 24 * 3_600_000)
      yield* runWorker
      assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED"])
      const dueInMs =
        DateTime.toEpochMillis(storedExecutionIn(fixture).dueAt!) - DateTime.toEpochMillis(at(40 * 24 * 3_600_000))
      assert.strictEqual(dueInMs, 3_600_000)
      include(fixture, 137, anOutcome())
      yield* runWorkerLater(3_600_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario(
    "reports a rejection by the bundler once, and fails the operation when it can no longer be included",
    (fixture, quote) =>
      Effect.gen(function* () {
        setDeadline(fixture)
        yield* execute(quote)
        fixture.submit = () => Effect.fail(new OperationRejected({ reason: "no" }))
        yield* runWorker
        yield* runWorkerLater()
        assert.deepStrictEqual(eventsIn(fixture.memory), [
          "created PROCESSING SUBMITTED",
          "updated PROCESSING REJECTED"
        ])
        fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 2_000)
        yield* setClock(DEADLINE + 1_000)
        yield* runWorkerLater()
        assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED REJECTED")
        assert.include(transactionIn(fixture).failure!.message, "no")
      })
  )

  scenario("completes an operation that the bundler rejected and a block includes later", (fixture, quote) =>
    Effect.gen(function* () {
      setDeadline(fixture)
      yield* execute(quote)
      fixture.submit = () => Effect.fail(new OperationRejected({ reason: "no" }))
      yield* runWorker
      include(fixture, 137, anOutcome())
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), [
        "updated PROCESSING REJECTED",
        "completed COMPLETED INCLUDED"
      ])
    })
  )

  scenario("completes an included operation although the bundler rejects it", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      fixture.submit = () =>
        Effect.suspend(() => {
          include(fixture, 137, anOutcome())
          return Effect.fail(new OperationRejected({ reason: "nonce used" }))
        })
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario("checks one last time after the chain's time has passed the deadline", (fixture, quote) =>
    Effect.gen(function* () {
      setDeadline(fixture)
      yield* execute(quote)
      yield* setClock(DEADLINE + 1_000)
      fixture.blockTimestamp = secondsAt(DEADLINE + FINALITY_MS + 2_000)
      include(fixture, 137, anOutcome())
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario("submits the operation repeatedly, with growing intervals, until a block includes it", (fixture, quote) =>
    Effect.gen(function* () {
      const submittedBodies: Array<unknown> = []
      fixture.submit = (_operation, signature, authorization) =>
        Effect.sync(() => void submittedBodies.push([signature, authorization]))
      yield* execute(quote)
      yield* runWorker
      const firstDueAt = storedExecutionIn(fixture).dueAt!
      yield* setClock(10_000)
      yield* runWorker
      const laterDueAt = storedExecutionIn(fixture).dueAt!
      assert.isAtMost(DateTime.toEpochMillis(firstDueAt) - DateTime.toEpochMillis(at(0)), 25)
      assert.strictEqual(DateTime.toEpochMillis(laterDueAt) - DateTime.toEpochMillis(at(10_000)), 625)
      assert.deepStrictEqual(submittedBodies, [
        [SIGNATURE, null],
        [SIGNATURE, null]
      ])
    })
  )

  scenario("reports the movements, and that the account is deployed", (fixture, quote) =>
    Effect.gen(function* () {
      const { address: sender } = operationOf(quote).account
      const [token, pool] = [anAddress(), anAddress()]
      fixture.listedTokens.push({
        chainId: 137,
        address: token,
        name: "T",
        symbol: "T",
        decimals: 6,
        realWorldAsset: false
      })
      fixture.prices.set(`137:${token}`, 2n * 10n ** 18n)
      yield* execute(quote)
      include(
        fixture,
        137,
        anOutcome({
          transfers: [
            { token, from: sender, to: pool, amount: 1_500_000n },
            { token: anAddress(), from: pool, to: sender, amount: 9n }
          ]
        })
      )
      yield* runWorker
      const { legs, movements, executedAt } = transactionIn(fixture)
      assert.deepStrictEqual(
        movements.map(({ amount, direction, leg, role, usd }) => ({ amount, direction, leg, role, usd })),
        [
          { amount: 1_500_000n, direction: "OUT", leg: 0, role: "PRINCIPAL", usd: "3" },
          { amount: 21_000n, direction: "OUT", leg: 0, role: "GAS", usd: null }
        ]
      )
      assert.strictEqual(legs[0]!.state, "INCLUDED")
      assert.isNotNull(executedAt)
      assert.deepStrictEqual(fixture.deployedChains, [`${sender} 137`])
      assert.strictEqual(stageNameIn(fixture), "finality")
    })
  )

  scenario(
    "values movements at the quote's prices if no current prices arrive in time",
    (fixture, quote) =>
      Effect.gen(function* () {
        yield* execute(quote)
        const { address: sender } = operationOf(quote).account
        include(
          fixture,
          137,
          anOutcome({ transfers: [{ token: PRICED_TOKEN, from: sender, to: anAddress(), amount: 1_000_000n }] })
        )
        fixture.listedTokens.push({
          chainId: 137,
          address: PRICED_TOKEN,
          name: "T",
          symbol: "T",
          decimals: 6,
          realWorldAsset: false
        })
        yield* runWorker
        const [{ usd, usdSource } = { usd: null }] = transactionIn(fixture).movements
        assert.deepStrictEqual([usd, usdSource], ["7", "QUOTE"])
      }),
    aQuote({ prices: { [`137:${PRICED_TOKEN}`]: 7n * 10n ** 18n } })
  )

  scenario("reports a reverted operation as failed, with the reason, and also tracks its block", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      include(fixture, 137, anOutcome({ success: false, revert: { ...REVERT, decoded: "STF" } }))
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED REVERTED")
      assert.deepStrictEqual(transactionIn(fixture).failure, { code: "REVERTED", message: "STF" })
      assert.deepStrictEqual(fixture.deployedChains, [])
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
      assert.deepStrictEqual(
        transactionIn(fixture).movements.map(({ role }) => role),
        ["GAS"]
      )
    })
  )

  scenario("waits and continues if an upstream does not respond", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      fixture.outcome = () => Effect.fail(new UpstreamUnavailable({ upstream: "node", reason: "down" }))
      assert.strictEqual(yield* runWorker, 1)
      assert.isNull(storedExecutionIn(fixture).claim)
      assert.strictEqual(yield* runWorker, 0)
      include(fixture, 137, anOutcome())
      assert.strictEqual(yield* runWorkerLater(1_000), 1)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED INCLUDED")
    })
  )

  scenario("releases its claims when it is stopped", (fixture, quote) =>
    Effect.gen(function* () {
      yield* execute(quote)
      const workerStarted = yield* Deferred.make<void>()
      fixture.outcome = () => Effect.andThen(Deferred.succeed(workerStarted, undefined), Effect.never)
      const followFiber = yield* Effect.forkChild(runWorker)
      yield* Deferred.await(workerStarted)
      assert.strictEqual(storedExecutionIn(fixture).claim?.worker, "worker")
      yield* Fiber.interrupt(followFiber)
      assert.isNull(storedExecutionIn(fixture).claim)
    })
  )
})
