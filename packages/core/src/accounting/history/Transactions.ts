import { Context, Effect, Layer } from "effect"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { HistoryStore } from "./HistoryStore.ts"
import type { Transaction } from "./Transaction.ts"
import { arrivalEvents, changeEvent } from "./transactionEvent.ts"

/** Writes transactions. `add` and `change` also store their events, in the same unit of work. */
export class Transactions extends Context.Service<
  Transactions,
  {
    readonly add: (transaction: Transaction) => Effect.Effect<void>
    /**
     * Stores the changed transaction and its event in one unit of work. The event depends on the status of `before`.
     */
    readonly change: (before: Transaction, after: Transaction) => Effect.Effect<void>
    /** Stores a change without an event, because no visible field changes. */
    readonly amend: (after: Transaction) => Effect.Effect<void>
  }
>()("@countersign/core/history/Transactions") {
  static readonly layer = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const store = yield* HistoryStore
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork
      return Transactions.of({
        add: (transaction) =>
          unitOfWork.run(
            Effect.andThen(
              store.insert(transaction),
              Effect.forEach(arrivalEvents(transaction), outbox.append, { discard: true })
            )
          ),
        change: (before, after) =>
          unitOfWork.run(Effect.andThen(store.update(after), outbox.append(changeEvent(after, before.status)))),
        amend: store.update
      })
    })
  )
}
