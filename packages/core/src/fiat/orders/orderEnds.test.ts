import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"
import { orderEnds } from "./orderEnds.ts"

it.effect("an order still has its transaction after the month of its execution was detached from the archive", () => {
  const quote = aFiatQuote()
  const order = aFiatOrder(quote)
  const transactionIdIn = (projectId: typeof quote.projectId) =>
    Effect.flatMap(orderEnds, ({ transactionIdOf }) => transactionIdOf(order)).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mock(FiatOrderStore, {}),
          Layer.mock(HistoryStore, {}),
          Layer.mock(EventOutbox, {}),
          Layer.mock(UnitOfWork, {}),
          Layer.mock(ExecutionStore, {
            findByQuote: () => Effect.succeedNone,
            findArchived: (key) =>
              Effect.succeed(
                key === order.executedQuote ? Option.some({ projectId, id: "transaction" }) : Option.none()
              )
          })
        )
      )
    )
  return Effect.gen(function* () {
    assert.strictEqual(yield* transactionIdIn(quote.projectId), "transaction")
    assert.isNull(yield* transactionIdIn(aProjectId()))
  })
})
