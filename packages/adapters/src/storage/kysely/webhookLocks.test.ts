import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { EventOutbox } from "@countersign/core/tenancy/events"
import { WebhookDeliveryQueue, WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { layerTemporaryPostgres } from "../../../test/support/databases.ts"

/** Only on Postgres: another transaction disables the endpoint. SQLite has only one writer at a time. */
layer(layerTemporaryPostgres, { excludeTestServices: true })("A webhook on Postgres", (it) => {
  it.effect("that is disabled while an event is stored receives later events after it is enabled", () =>
    Effect.gen(function* () {
      const endpointStore = yield* WebhookEndpointStore
      const queue = yield* WebhookDeliveryQueue
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork
      const now = yield* DateTime.now
      const endpoint = anEndpoint()
      const { id, projectId } = endpoint
      const event = anEvent({ projectId })
      yield* endpointStore.insert(endpoint)
      yield* outbox.append(event)
      const hasStored = yield* Deferred.make<void>()
      const disableFiber = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(hasStored), endpointStore.disable(projectId, id, now, "it responded with 410"))
      )
      yield* unitOfWork.run(
        Effect.gen(function* () {
          // This event waits for the delivery of the first one, which then ends as DISABLED.
          yield* outbox.append(event)
          yield* Deferred.succeed(hasStored, undefined)
          yield* Fiber.join(disableFiber)
        })
      )
      yield* endpointStore.change(projectId, id, (before) => ({ ...before, disabledAt: null, disabledReason: null }))
      yield* outbox.append(event)
      const claimedDeliveries = yield* queue.claim({
        worker: "w",
        now: DateTime.add(now, { hours: 1 }),
        leaseUntil: DateTime.add(now, { hours: 2 }),
        limit: 10,
        except: []
      })
      assert.deepStrictEqual(
        claimedDeliveries.map(({ delivery }) => delivery.sequence),
        [3]
      )
    }).pipe(Effect.timeout("2 minutes"))
  )
})
