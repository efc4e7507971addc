import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { aHash, anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import type { Signatures } from "../../../foundation/signing/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { type Quote, signDataOf } from "../../quotes/index.ts"
import { anOperationIntent, aQuote } from "../../quotes/Quote.fixture.ts"
import type { ExecutionWorker } from "../ExecutionWorker.ts"
import {
  anEvmFixture,
  type EvmFixture,
  evmFixtureLayer,
  runWorker,
  setClock,
  storedExecutionIn,
  transactionIn
} from "../evm.fixture.ts"
import { eventsIn } from "../memoryStores.fixture.ts"
import type { Stage } from "../Stage.ts"
import { Acceptances } from "./Acceptances.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)

const signaturesFor = (quote: Quote): Signatures =>
  Object.fromEntries(signDataOf(quote).map(({ hash }) => [hash, SIGNATURE]))

const accept = ({ id, projectId }: Quote, signatures: Signatures) =>
  Acceptances.use((acceptances) => acceptances.accept(projectId, id, signatures))

/** A stage that ends at its first check. */
const paidStage: Stage = {
  name: "paid",
  waitsFor: "CHAIN",
  awaited: "the payment",
  normalMs: null,
  patienceMs: null,
  step: () => Effect.succeed({ _tag: "Next", change: (before) => ({ ...before, executedAt: at(1_000) }) })
}

const scenario = (
  name: string,
  quote: Quote,
  test: (fixture: EvmFixture) => Effect.Effect<unknown, unknown, Acceptances | ExecutionWorker>
) =>
  it.effect(name, () => {
    const fixture = anEvmFixture(quote)
    return Effect.andThen(setClock(0), test(fixture)).pipe(
      Effect.provide(evmFixtureLayer(fixture, [Effect.succeed(paidStage)]))
    )
  })

describe("Acceptances.accept", () => {
  const unsignedQuote = aQuote({ intents: [], stages: [{ name: "paid", intent: null, status: "PROCESSING" }] })
  scenario("accepts a quote that requires no signature, and completes it", unsignedQuote, (fixture) =>
    Effect.gen(function* () {
      const execution = yield* accept(unsignedQuote, {})
      assert.deepStrictEqual(execution.signatures, {})
      assert.deepStrictEqual(execution.estimatedExecutionTime, at(unsignedQuote.executionMs))
      assert.deepStrictEqual(yield* accept(unsignedQuote, {}), execution)
      yield* runWorker
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        "created PROCESSING SUBMITTED",
        "completed COMPLETED SUBMITTED"
      ])
      assert.isNull(storedExecutionIn(fixture).dueAt)
    })
  )

  const deliveredQuote = aQuote({
    intents: [],
    stages: [
      { name: "paid", intent: null, status: "PROCESSING" },
      { name: "paid", intent: null, status: "ON_BRIDGE" }
    ]
  })
  scenario("sets the execution time of a transaction when it ends, and not before", deliveredQuote, (fixture) =>
    Effect.gen(function* () {
      yield* accept(deliveredQuote, {})
      yield* runWorker
      assert.deepStrictEqual([transactionIn(fixture).status, transactionIn(fixture).executedAt], ["ON_BRIDGE", null])
      yield* runWorker
      assert.deepStrictEqual(transactionIn(fixture).executedAt, at(1_000))
    })
  )

  const quote = aQuote()
  scenario("ignores signatures that the quote does not need", quote, (fixture) =>
    Effect.gen(function* () {
      const execution = yield* accept(quote, { ...signaturesFor(quote), [aHash()]: SIGNATURE })
      assert.deepStrictEqual(execution.signatures, signaturesFor(quote))
      assert.strictEqual(fixture.memory.executions.size, 1)
    })
  )

  scenario("rejects signatures with unknown hashes if one is missing, and names the hashes", quote, (fixture) =>
    Effect.gen(function* () {
      const [firstHash, secondHash] = [aHash(), aHash()]
      const error = yield* Effect.flip(accept(quote, { [firstHash]: SIGNATURE, [secondHash]: SIGNATURE }))
      if (error._tag !== "BAD_REQUEST") return assert.fail(error.message)
      assert.deepStrictEqual(
        error.problems.map(({ code, path }) => [path, code]),
        [firstHash, secondHash].map((hash) => [`signatures.${hash}`, "unknown_element"])
      )
      assert.strictEqual(fixture.memory.executions.size, 0)
    })
  )

  scenario("names the element without a signature, and its field", quote, () =>
    Effect.gen(function* () {
      const [element] = signDataOf(quote)
      const error = yield* Effect.flip(accept(quote, {}))
      if (error._tag !== "INVALID_SIGNATURE") return assert.fail(error.message)
      assert.strictEqual(error.field, `signatures.${element!.hash}`)
      assert.match(error.message, /^The signatures\.0x[0-9a-f]{64} is missing/u)
    })
  )

  scenario("rejects a signature by a key that is not the owner's", quote, (fixture) =>
    Effect.gen(function* () {
      fixture.owner = anAddress()
      const error = yield* Effect.flip(accept(quote, signaturesFor(quote)))
      if (error._tag !== "INVALID_SIGNATURE") return assert.fail(error.message)
      assert.deepStrictEqual(error.problem, { _tag: "ByAnother", address: fixture.owner })
    })
  )

  scenario("does not find a quote of another project, or an unknown quote", quote, () =>
    Effect.gen(function* () {
      for (const unknownQuote of [{ ...quote, projectId: aProjectId() }, aQuote()]) {
        assert.strictEqual(
          (yield* Effect.flip(accept(unknownQuote, signaturesFor(unknownQuote))))._tag,
          "QUOTE_NOT_FOUND"
        )
      }
    })
  )

  scenario("rejects a quote that has expired", quote, () =>
    Effect.gen(function* () {
      yield* setClock(60_001)
      assert.strictEqual((yield* Effect.flip(accept(quote, signaturesFor(quote))))._tag, "QUOTE_EXPIRED")
    })
  )

  const [allowanceIntent, mainIntent] = [anOperationIntent(), anOperationIntent()]
  const twoOperationQuote = aQuote({
    id: mainIntent.hash,
    intents: [allowanceIntent, { ...mainIntent, account: allowanceIntent.account }]
  })
  scenario("requires the signature of each operation under its own element", twoOperationQuote, () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(accept(twoOperationQuote, { [mainIntent.hash]: SIGNATURE }))
      assert.strictEqual(error._tag === "INVALID_SIGNATURE" && error.element, allowanceIntent.hash)
      const execution = yield* accept(twoOperationQuote, signaturesFor(twoOperationQuote))
      assert.deepStrictEqual(Object.keys(execution.signatures).sort(), [allowanceIntent.hash, mainIntent.hash].sort())
    })
  )
})
