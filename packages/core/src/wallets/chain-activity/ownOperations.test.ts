import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import { aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { aHash } from "../../foundation/primitives/ids.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { ownOperations } from "./ownOperations.ts"

it.effect("an operation whose month is detached from the archive is not recorded as an external transfer", () => {
  const [operation, transactionHash] = [aHash(), aHash()]
  const transaction = aTransaction({
    status: "COMPLETED",
    legs: [{ chainId: 137, hash: transactionHash, block: null, state: "FINAL", stage: 0 }]
  })
  const { id, projectId } = transaction
  const stores = Layer.mergeAll(
    Layer.mock(QuoteStore, { findByOperationInAnyProject: () => Effect.succeedNone }),
    Layer.mock(ExecutionStore, {
      findArchived: (hash) => Effect.succeed(hash === operation ? Option.some({ id, projectId }) : Option.none())
    }),
    Layer.mock(HistoryStore, {
      find: (_, transactionId) => Effect.succeed(transactionId === id ? Option.some(transaction) : Option.none())
    })
  )
  return Effect.gen(function* () {
    const ownOperation = yield* ownOperations
    assert.deepStrictEqual(yield* ownOperation(137, transactionHash, operation), { _tag: "Recorded", projectId })
    assert.deepStrictEqual(yield* ownOperation(137, aHash(), operation), { _tag: "Foreign" })
    assert.deepStrictEqual(yield* ownOperation(137, transactionHash, aHash()), { _tag: "Foreign" })
  }).pipe(Effect.provide(stores))
})
