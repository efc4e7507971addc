import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { HistoryStore } from "../../accounting/history/index.ts"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { FIAT_PAYOUT, FIAT_SUBMISSION } from "./depositQuote.ts"
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

it.effect("an operator can't resolve a withdrawal while a block may include its user operation", () => {
  const order = aFiatOrder(aFiatQuote({ direction: "WITHDRAWAL" }), { state: "PROCESSING" })
  const resolveIn = (stageName: string) =>
    Effect.flatMap(orderEnds, ({ resolve }) =>
      resolve(order.quote.projectId, order.id, { status: "FAILED", reason: "The bank has no such payment" })
    ).pipe(
      Effect.map(({ state }) => state),
      Effect.catchTag("BAD_REQUEST", ({ message }) => Effect.succeed(message)),
      Effect.provide([
        Layer.mock(FiatOrderStore, {
          find: () => Effect.succeed(Option.some({ order, version: 1 })),
          update: () => Effect.succeed(true)
        }),
        Layer.mock(HistoryStore, {}),
        Layer.mock(EventOutbox, { append: (event) => Effect.succeed(event as never) }),
        Layer.succeed(UnitOfWork, { run: (work) => work }),
        Layer.mock(ExecutionStore, {
          findByQuote: () =>
            Effect.succeed(
              Option.some(
                anExecution({}, aQuote({ stages: [{ name: stageName, intent: null, status: "PROCESSING" }] }))
              )
            ),
          wakeQuote: () => Effect.void
        })
      ])
    )
  return Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(at(2 * 86_400_000)))
    assert.match(yield* resolveIn("user-operation"), /still pending/u)
    assert.strictEqual(yield* resolveIn(FIAT_SUBMISSION), "FAILED")
    assert.strictEqual(yield* resolveIn(FIAT_PAYOUT), "FAILED")
  })
})
