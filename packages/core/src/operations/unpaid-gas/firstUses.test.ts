import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { anAccount } from "../../wallets/registry/Wallet.fixture.ts"
import {
  anEvmFixture,
  anOutcome,
  type EvmFixture,
  evmFixtureLayer,
  include,
  reorgBlock,
  type runWorker,
  runWorkerLater,
  setClock
} from "../executions/evm.fixture.ts"
import { UserOperations } from "../executions/index.ts"
import type { Quote } from "../quotes/index.ts"
import { anOperationIntent, aQuote, aUserOperation } from "../quotes/Quote.fixture.ts"
import { UnpaidGasLimits } from "./UnpaidGasLimits.ts"

/** Tests that gas which may stay unpaid counts from the acceptance of an operation, before it is spent. */

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const TOKEN = anAddress()
const PAYMASTER = { address: anAddress(), verificationGasLimit: 0n, postOpGasLimit: 0n, data: HexBytes.make("0x") }
const NATIVE_KEY = tokenKey({ chainId: 137, address: NATIVE_TOKEN })
const projectId = aProjectId()
const OWNER = anAddress()

let nonce = 0n

interface Fields {
  readonly owner?: typeof OWNER
  readonly unpaidWei?: bigint
  readonly isFirstUse?: boolean
  readonly projectId?: Quote["projectId"]
}

/** Creates an operation of a new wallet that may leave $2 of gas unpaid. */
const aFirstUse = (fields: Fields = {}): Quote => {
  const { isFirstUse = true, owner = anAddress(), unpaidWei = 10n ** 18n } = fields
  const account = anAccount({ owner })
  const intent = anOperationIntent({
    account,
    operation: aUserOperation({ sender: account.address, nonce: ++nonce, paymaster: PAYMASTER }),
    gas: { token: TOKEN, maxWei: 10n ** 18n, maxToken: 2_000n, expectedToken: 1_000n, unpaidWei, isFirstUse }
  })
  return {
    ...aQuote({ projectId: fields.projectId ?? projectId, walletAddress: account.address, intents: [intent] }),
    id: intent.hash,
    prices: { [NATIVE_KEY]: 2n * 10n ** 18n },
    expiresAt: at(1e12)
  }
}

const operationOf = ({ intents }: Quote) => intents.find((intent) => intent.type === "USER_OPERATION")!

/** Executes a quote. Returns "accepted", or the limit and state of the rejection. */
const execute = (fixture: EvmFixture, quote: Quote) =>
  UserOperations.use((operations) => {
    fixture.memory.quotes.set(quote.id, quote)
    fixture.owner = operationOf(quote).account.owner
    const request = { hash: operationOf(quote).hash, signature: SIGNATURE, authorization: null }
    return operations.execute(quote.projectId, request)
  }).pipe(
    Effect.as("accepted"),
    Effect.catchTag("UNPAID_GAS_LIMIT", ({ scope, state }) => Effect.succeed(`${scope} ${state}`))
  )

const scenario = <A, E>(
  name: string,
  test: (fixture: EvmFixture) => Effect.Effect<A, E, Effect.Services<typeof runWorker> | UserOperations>
) => {
  const fixture = anEvmFixture()
  const limits = {
    ...UnpaidGasLimits.defaultValue(),
    projectUsdE6PerDay: 10_000_000n,
    operatorUsdE6PerDay: 14_000_000n
  }
  it.effect(name, () =>
    Effect.andThen(setClock(0), test(fixture)).pipe(
      Effect.provide(evmFixtureLayer(fixture).pipe(Layer.provide(Layer.succeed(UnpaidGasLimits, limits))))
    )
  )
}

/** Uses up the project's budget of $10. */
const useUpBudget = (fixture: EvmFixture) =>
  Effect.gen(function* () {
    for (let i = 0; i < 5; i++) assert.strictEqual(yield* execute(fixture, aFirstUse()), "accepted")
    assert.strictEqual(yield* execute(fixture, aFirstUse()), "project PENDING")
  })

describe("First uses of a gas token", () => {
  scenario("are accepted while the possible unpaid gas is within the project's budget", (fixture) =>
    Effect.gen(function* () {
      const responses: Array<string> = []
      const quotes = Array.from({ length: 60 }, () => aFirstUse())
      for (const quote of quotes) responses.push(yield* execute(fixture, quote))
      assert.deepStrictEqual(
        responses,
        quotes.map((_, i) => (i < 5 ? "accepted" : "project PENDING"))
      )
      assert.strictEqual(fixture.memory.executions.size, 5)
    })
  )

  scenario("of several projects are within one budget of the operator", (fixture) =>
    Effect.gen(function* () {
      yield* useUpBudget(fixture)
      const executeInOtherProject = () => execute(fixture, aFirstUse({ projectId: aProjectId() }))
      assert.deepStrictEqual(
        yield* Effect.all([executeInOtherProject(), executeInOtherProject(), executeInOtherProject()]),
        ["accepted", "accepted", "operator PENDING"]
      )
    })
  )

  scenario("are limited to one at a time for an owner, in any project and with any wallet", (fixture) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* execute(fixture, aFirstUse({ owner: OWNER })), "accepted")
      assert.strictEqual(yield* execute(fixture, aFirstUse({ owner: OWNER })), "owner PENDING")
      assert.strictEqual(yield* execute(fixture, aFirstUse({ owner: OWNER, projectId: aProjectId() })), "owner PENDING")
      assert.strictEqual(yield* execute(fixture, aFirstUse({ owner: OWNER, isFirstUse: false })), "accepted")
    })
  )

  scenario("do not block operations that pay before their calls", (fixture) =>
    Effect.gen(function* () {
      yield* useUpBudget(fixture)
      assert.strictEqual(yield* execute(fixture, aFirstUse({ unpaidWei: 0n, isFirstUse: false })), "accepted")
    })
  )

  scenario("get the same result if they are executed again", (fixture) =>
    Effect.gen(function* () {
      const quote = aFirstUse()
      assert.deepStrictEqual(
        yield* Effect.all([execute(fixture, quote), execute(fixture, quote)], { concurrency: 2 }),
        ["accepted", "accepted"]
      )
      assert.strictEqual(fixture.memory.executions.size, 1)
    })
  )
})

describe("The reserved unpaid gas of a first use is released", () => {
  const payment = { token: TOKEN, from: anAddress(), to: anAddress(), amount: 2_000n }

  scenario("after a block includes it and it has paid", (fixture) =>
    Effect.gen(function* () {
      yield* useUpBudget(fixture)
      include(fixture, 137, anOutcome({ actualGasCost: 10n ** 17n, tokenPayment: payment }))
      yield* runWorkerLater(1_000)
      yield* useUpBudget(fixture)
    })
  )

  scenario("except for its cost, after a block includes it and it has not paid", (fixture) =>
    Effect.gen(function* () {
      yield* useUpBudget(fixture)
      // The actual cost is a tenth of the maximum cost, so all operations together leave only $1 of the $10 unpaid.
      include(fixture, 137, anOutcome({ success: false, actualGasCost: 10n ** 17n }))
      yield* runWorkerLater(1_000)
      fixture.outcome = () => Effect.succeedNone
      const responses = yield* Effect.forEach(Array.from({ length: 5 }), () => execute(fixture, aFirstUse()))
      assert.deepStrictEqual(responses, [...Array(4).fill("accepted"), "project PENDING"])
    })
  )

  scenario("after a reorg removed its block and no other block can include it, and not before", (fixture) =>
    Effect.gen(function* () {
      yield* useUpBudget(fixture)
      const outcome = anOutcome({ actualGasCost: 10n ** 17n, tokenPayment: payment })
      include(fixture, 137, outcome)
      yield* runWorkerLater(1_000)
      reorgBlock(fixture, 137, outcome.blockNumber)
      yield* runWorkerLater(60_000)
      assert.strictEqual(yield* execute(fixture, aFirstUse()), "project PENDING")
      for (const [id, entry] of fixture.memory.executions) {
        const stages = entry.execution.stages.map((stage) => ({ ...stage, deadline: entry.execution.acceptedAt }))
        fixture.memory.executions.set(id, { ...entry, execution: { ...entry.execution, stages } })
      }
      fixture.blockTimestamp = 10_000_000_000
      yield* runWorkerLater(60_000)
      yield* useUpBudget(fixture)
    })
  )
})
