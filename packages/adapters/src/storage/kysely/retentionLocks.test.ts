import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { EventOutbox } from "@countersign/core/tenancy/events"
import { type RetainedKind, RetentionStore } from "@countersign/core/tenancy/retention"
import { WebhookDeliveryStore, WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { layerTemporaryPostgres } from "../../../test/support/databases.ts"

const farFuture = DateTime.makeUnsafe(8e15)

/** Only on Postgres: other transactions lock rows while rows are removed. SQLite has only one writer at a time. */
layer(layerTemporaryPostgres, { excludeTestServices: true })(
  "RetentionStore on Postgres, beside open transactions",
  (it) => {
    /** Removes rows while a transaction with this change is open. Fails if one of them waits for the other. */
    const pruneBeside = <A, E, R>(kind: RetainedKind, change: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const store = yield* RetentionStore
        const unitOfWork = yield* UnitOfWork
        const hasChanged = yield* Deferred.make<void>()
        const pruneFiber = yield* Effect.forkChild(
          Effect.andThen(Deferred.await(hasChanged), store.prune(kind, farFuture, 10))
        )
        return yield* unitOfWork
          .run(
            Effect.gen(function* () {
              yield* change
              yield* Deferred.succeed(hasChanged, undefined)
              return yield* Fiber.join(pruneFiber)
            })
          )
          .pipe(Effect.timeout("2 minutes"))
      })

    it.effect("skips a quote that is being accepted, and removes the others", () =>
      Effect.gen(function* () {
        const quotes = yield* QuoteStore
        const [accepted, other] = [aQuote(), aQuote()]
        yield* quotes.insert([accepted, other])
        const now = yield* DateTime.now
        const removedCount = yield* pruneBeside("quotes", quotes.accept(accepted.projectId, accepted.id, now))
        assert.strictEqual(removedCount, 1)
        assert.deepStrictEqual(yield* quotes.find(accepted.projectId, accepted.id), Option.some(accepted))
      })
    )

    it.effect("skips a delivery that is being sent again, and its event", () =>
      Effect.gen(function* () {
        const endpointStore = yield* WebhookEndpointStore
        const deliveryStore = yield* WebhookDeliveryStore
        const now = yield* DateTime.now
        const endpoint = anEndpoint()
        yield* endpointStore.insert(endpoint)
        yield* EventOutbox.use((outbox) => outbox.append(anEvent({ projectId: endpoint.projectId })))
        yield* endpointStore.disable(endpoint.projectId, endpoint.id, now, "gone")
        const [ended] = yield* deliveryStore.list({
          projectId: endpoint.projectId,
          endpointId: endpoint.id,
          after: null,
          take: 1
        })
        assert.strictEqual(ended!.status, "DISABLED")
        const redeliver = deliveryStore.redeliver(endpoint.projectId, endpoint.id, ended!.id, now)
        assert.strictEqual(yield* pruneBeside("deliveries", redeliver), 0)
        assert.strictEqual(yield* pruneBeside("events", redeliver), 0)
        const [kept] = yield* deliveryStore.list({
          projectId: endpoint.projectId,
          endpointId: endpoint.id,
          after: null,
          take: 1
        })
        assert.strictEqual(kept!.status, "PENDING")
      })
    )
  }
)
