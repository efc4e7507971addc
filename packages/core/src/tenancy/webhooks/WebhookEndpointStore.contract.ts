import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { WebhookDeliveryQueue } from "./delivering/WebhookDeliveryQueue.ts"
import { anEndpoint, anEvent, aSecret } from "./WebhookEndpoint.fixture.ts"
import { WebhookEndpointStore } from "./WebhookEndpointStore.ts"
import {
  append,
  claimedIds,
  deliveredResult,
  deliveriesOf,
  emptyQueue,
  failedResult,
  insertEndpoint,
  now,
  revealSecrets,
  type WebhookStores
} from "./webhookStores.fixture.ts"

export { anEndpoint, anEvent, aSecret } from "./WebhookEndpoint.fixture.ts"

/** Contract tests that every `WebhookEndpointStore` must pass. */
export const webhookEndpointStoreContract = <E>(
  name: string,
  stores: Layer.Layer<WebhookStores | UnitOfWork, E>
): void => {
  layer(stores)(`WebhookEndpointStore on ${name}`, (it) => {
    it.effect("returns an endpoint with all inserted fields, for its own project only", () =>
      Effect.gen(function* () {
        const endpointStore = yield* WebhookEndpointStore
        const endpoints = [
          anEndpoint(),
          anEndpoint({
            description: "ours 🪙",
            eventTypes: ["transaction.completed", "wallet.*"],
            secrets: [aSecret(), aSecret({ expiresAt: at(9) })],
            disabledAt: at(5),
            disabledReason: "gone"
          })
        ]
        yield* Effect.forEach(endpoints, endpointStore.insert)
        for (const endpoint of endpoints) {
          const storedEndpoint = yield* Effect.flatMap(
            endpointStore.find(endpoint.projectId, endpoint.id),
            Effect.fromOption
          )
          assert.deepStrictEqual(revealSecrets(storedEndpoint), revealSecrets(endpoint))
          assert.deepStrictEqual(yield* endpointStore.find(aProjectId(), endpoint.id), Option.none())
          assert.deepStrictEqual((yield* endpointStore.list(endpoint.projectId)).map(revealSecrets), [
            revealSecrets(endpoint)
          ])
        }
        assert.deepStrictEqual(yield* endpointStore.list(aProjectId()), [])
      })
    )

    it.effect("counts the endpoints of a project for one unit of work after another", () =>
      Effect.gen(function* () {
        const [endpointStore, unitOfWork] = [yield* WebhookEndpointStore, yield* UnitOfWork]
        const projectId = aProjectId()
        const insertBelow = (limit: number) =>
          unitOfWork.run(
            Effect.flatMap(endpointStore.count(projectId), (count) =>
              count < limit ? endpointStore.insert(anEndpoint({ projectId })) : Effect.void
            )
          )
        yield* Effect.all(
          Array.from({ length: 12 }, () => insertBelow(3)),
          { concurrency: "unbounded", discard: true }
        )
        assert.strictEqual(yield* endpointStore.count(projectId), 3)
        assert.strictEqual(yield* endpointStore.count(aProjectId()), 0)
      })
    )

    it.effect("applies changes to an endpoint one after another", () =>
      Effect.gen(function* () {
        const endpointStore = yield* WebhookEndpointStore
        const endpoint = yield* insertEndpoint()
        yield* Effect.all(
          Array.from({ length: 8 }, (_, index) =>
            endpointStore.change(endpoint.projectId, endpoint.id, (before) => ({
              ...before,
              description: `${before.description}${index}`
            }))
          ),
          { concurrency: 8 }
        )
        const storedEndpoint = yield* Effect.flatMap(
          endpointStore.find(endpoint.projectId, endpoint.id),
          Effect.fromOption
        )
        assert.deepStrictEqual([...storedEndpoint.description].sort().join(""), "01234567")
        assert.deepStrictEqual(
          yield* endpointStore.change(aProjectId(), endpoint.id, (before) => ({ ...before, description: "theirs" })),
          Option.none()
        )
      })
    )

    it.effect("ends pending, claimed and delayed deliveries when their endpoint is disabled", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpointStore = yield* WebhookEndpointStore
        const endpoint = yield* insertEndpoint()
        const { id, projectId } = endpoint
        const event = anEvent({ projectId })
        const [deliveredEvent] = [yield* append(anEvent({ projectId }))]
        const [claimedId] = yield* claimedIds("a")
        yield* queue.record(projectId, claimedId!, "a", deliveredResult(now))
        yield* Effect.forEach([event, event, anEvent({ projectId })], append)
        const [claimedDeliveryId] = yield* claimedIds("a", now, at(100_000), 1)
        yield* endpointStore.disable(projectId, id, at(7), "it responded with 410 Gone")
        yield* endpointStore.disable(projectId, id, at(8), "another reason")
        assert.isFalse(yield* queue.record(projectId, claimedDeliveryId!, "a", failedResult(now, at(2_000))))
        const allDeliveries = yield* deliveriesOf({ id, projectId })
        assert.deepStrictEqual(
          allDeliveries.map(({ eventId, status }) => [eventId === deliveredEvent!.id, status]).sort(),
          [
            [false, "DISABLED"],
            [false, "DISABLED"],
            [false, "DISABLED"],
            [true, "DELIVERED"]
          ]
        )
        assert.deepStrictEqual(yield* claimedIds("a", at(1e9), at(2e9)), [])
        const storedEndpoint = yield* Effect.flatMap(endpointStore.find(projectId, id), Effect.fromOption)
        assert.deepStrictEqual(
          [storedEndpoint.disabledAt, storedEndpoint.disabledReason],
          [at(7), "it responded with 410 Gone"]
        )
        yield* append(anEvent({ projectId }))
        assert.strictEqual((yield* deliveriesOf({ id, projectId })).length, 4)
      })
    )

    it.effect("deletes an endpoint with its deliveries, for its own project only", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpointStore = yield* WebhookEndpointStore
        const endpoint = yield* insertEndpoint()
        yield* append(anEvent({ projectId: endpoint.projectId }))
        const [claimedId] = yield* claimedIds("a")
        assert.isFalse(yield* endpointStore.remove(aProjectId(), endpoint.id))
        assert.isTrue(yield* endpointStore.remove(endpoint.projectId, endpoint.id))
        assert.isFalse(yield* endpointStore.remove(endpoint.projectId, endpoint.id))
        assert.deepStrictEqual(yield* deliveriesOf(endpoint), [])
        assert.isFalse(yield* queue.record(endpoint.projectId, claimedId!, "a", deliveredResult(now)))
        yield* append(anEvent({ projectId: endpoint.projectId }))
      })
    )

    it.effect("allows the deletion of endpoints while events are stored", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const endpointStore = yield* WebhookEndpointStore
        const projectId = aProjectId()
        const endpoints = yield* Effect.forEach(Array.from({ length: 6 }), () => insertEndpoint({ projectId }))
        const appendedEvents = yield* Effect.all(
          [
            Effect.forEach(Array.from({ length: 12 }), () => append(anEvent({ projectId })), { concurrency: 4 }),
            Effect.forEach(endpoints, ({ id }) => endpointStore.remove(projectId, id), { concurrency: 2 })
          ],
          { concurrency: 2 }
        )
        assert.strictEqual(appendedEvents[0].length, 12)
        assert.deepStrictEqual(yield* claimedIds("a"), [])
      })
    )
  })
}
