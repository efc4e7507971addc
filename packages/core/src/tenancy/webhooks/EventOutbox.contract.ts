import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { anEvent } from "./WebhookEndpoint.fixture.ts"
import {
  append,
  deliveriesOf,
  deliveryOf,
  emptyQueue,
  insertEndpoint,
  now,
  type WebhookStores
} from "./webhookStores.fixture.ts"

/** Contract tests that every `EventOutbox` must pass, together with the webhook endpoints. */
export const eventOutboxContract = <E>(name: string, stores: Layer.Layer<WebhookStores | UnitOfWork, E>): void => {
  layer(stores)(`EventOutbox on ${name}`, (it) => {
    it.effect("numbers the events of a resource from 1, separately for each project", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const event = anEvent()
        const storedEvents = yield* Effect.forEach([event, event, event], append)
        assert.deepStrictEqual(
          storedEvents.map(({ sequence }) => sequence),
          [1, 2, 3]
        )
        assert.strictEqual(new Set(storedEvents.map(({ id }) => id)).size, 3)
        assert.strictEqual((yield* append({ ...event, projectId: aProjectId() })).sequence, 1)
        assert.strictEqual((yield* append(anEvent({ projectId: event.projectId }))).sequence, 1)
      })
    )

    it.effect("numbers events without gaps or duplicates, also if units of work are concurrent or fail", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const unitOfWork = yield* UnitOfWork
        const event = anEvent()
        const endpoint = yield* insertEndpoint({ projectId: event.projectId })
        yield* Effect.forEach(
          Array.from({ length: 24 }, (_, index) => index),
          (index) =>
            Effect.ignore(
              unitOfWork.run(Effect.andThen(append(event), index % 3 === 0 ? Effect.fail("refused") : Effect.yieldNow))
            ),
          { concurrency: 12, discard: true }
        )
        const sequences = (yield* deliveriesOf(endpoint)).map(({ sequence }) => sequence).sort((a, b) => a - b)
        assert.deepStrictEqual(
          sequences,
          Array.from({ length: 16 }, (_, index) => index + 1)
        )
      })
    )

    it.effect("creates a delivery for each enabled endpoint of the project that subscribes to the event", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const projectId = aProjectId()
        const anyTypeEndpoint = yield* insertEndpoint({ projectId })
        const someTypesEndpoint = yield* insertEndpoint({ projectId, eventTypes: ["wallet.*", "transaction.created"] })
        const otherEndpoint = yield* insertEndpoint({ projectId, eventTypes: ["transaction.completed"] })
        const disabledEndpoint = yield* insertEndpoint({ projectId, disabledAt: at(0), disabledReason: "gone" })
        const otherProjectEndpoint = yield* insertEndpoint()
        const event = yield* append(anEvent({ projectId }))
        for (const endpoint of [anyTypeEndpoint, someTypesEndpoint]) {
          const delivery = yield* deliveryOf(endpoint, event)
          assert.deepStrictEqual(delivery, {
            id: delivery.id,
            projectId,
            endpointId: endpoint.id,
            eventId: event.id,
            eventType: event.type,
            resource: `transaction:${event.resource.id}`,
            sequence: 1,
            status: "PENDING",
            attempts: 0,
            nextAttemptAt: now,
            lastStatus: null,
            lastError: null,
            createdAt: now,
            deliveredAt: null,
            log: []
          })
        }
        for (const endpoint of [otherEndpoint, disabledEndpoint, otherProjectEndpoint])
          assert.deepStrictEqual(yield* deliveriesOf(endpoint), [])
      })
    )
  })
}
