import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { WebhookDeliveryQueue } from "./delivering/WebhookDeliveryQueue.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import { anEvent } from "./WebhookEndpoint.fixture.ts"
import {
  append,
  claim,
  claimedIds,
  deliveredResult,
  deliveriesOf,
  deliveryOf,
  emptyQueue,
  failedResult,
  insertEndpoint,
  now,
  type WebhookStores
} from "./webhookStores.fixture.ts"

/** Contract tests that every `WebhookDeliveryStore` must pass. */
export const webhookDeliveryStoreContract = <E>(name: string, stores: Layer.Layer<WebhookStores, E>): void => {
  layer(stores)(`WebhookDeliveryStore on ${name}`, (it) => {
    it.effect("sends an event to the given endpoint only, regardless of subscriptions", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const deliveryStore = yield* WebhookDeliveryStore
        const projectId = aProjectId()
        const endpoint = yield* insertEndpoint({ projectId, eventTypes: ["wallet.deployed"] })
        const otherEndpoint = yield* insertEndpoint({ projectId })
        const sentDelivery = yield* deliveryStore.send(endpoint.id, anEvent({ projectId, type: "webhook.test" }))
        assert.deepStrictEqual(yield* deliveriesOf(endpoint), [Option.getOrThrow(sentDelivery)])
        assert.deepStrictEqual(yield* deliveriesOf(otherEndpoint), [])
        assert.deepStrictEqual(yield* deliveryStore.send("whk_unknown", anEvent()), Option.none())
        assert.deepStrictEqual(yield* deliveryStore.send(endpoint.id, anEvent()), Option.none())
      })
    )

    it.effect("lists deliveries in pages, newest first, also with equal times", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const deliveryStore = yield* WebhookDeliveryStore
        const endpoint = yield* insertEndpoint()
        yield* Effect.forEach(Array.from({ length: 7 }), () => append(anEvent({ projectId: endpoint.projectId })))
        const listedDeliveries = yield* deliveriesOf(endpoint)
        assert.deepStrictEqual(
          listedDeliveries.map(({ id }) => id),
          listedDeliveries
            .map(({ id }) => id)
            .toSorted()
            .reverse()
        )
        const listPage = (after: WebhookDelivery | null) =>
          deliveryStore.list({ projectId: endpoint.projectId, endpointId: endpoint.id, after, take: 3 })
        const allDeliveries: Array<WebhookDelivery> = []
        for (let pageIndex = 0; pageIndex < 3; pageIndex++)
          allDeliveries.push(...(yield* listPage(allDeliveries.at(-1) ?? null)))
        assert.deepStrictEqual(allDeliveries, listedDeliveries)
        assert.deepStrictEqual(yield* listPage(allDeliveries.at(-1)!), [])
        assert.deepStrictEqual(
          yield* deliveryStore.find(endpoint.projectId, endpoint.id, listedDeliveries[0]!.id),
          Option.some(listedDeliveries[0]!)
        )
        assert.deepStrictEqual(
          yield* deliveryStore.find(aProjectId(), endpoint.id, listedDeliveries[0]!.id),
          Option.none()
        )
        const otherEndpoint = yield* insertEndpoint({ projectId: endpoint.projectId })
        assert.deepStrictEqual(
          yield* deliveryStore.find(endpoint.projectId, otherEndpoint.id, listedDeliveries[0]!.id),
          Option.none()
        )
      })
    )

    it.effect("makes an ended delivery due again, but not before earlier events of its resource", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const deliveryStore = yield* WebhookDeliveryStore
        const endpoint = yield* insertEndpoint()
        const event = anEvent({ projectId: endpoint.projectId })
        const [first, second] = yield* Effect.forEach([event, event], append)
        const [firstDelivery, secondDelivery] = yield* Effect.forEach([first!, second!], (each) =>
          deliveryOf(endpoint, each)
        )
        const redelivery = yield* Effect.flatMap(
          deliveryStore.redeliver(endpoint.projectId, endpoint.id, secondDelivery!.id, now),
          Effect.fromOption
        )
        assert.isNull(redelivery.nextAttemptAt)
        yield* claim("a")
        yield* queue.record(endpoint.projectId, firstDelivery!.id, "a", failedResult(now, null, 10))
        const resetDelivery = yield* Effect.flatMap(
          deliveryStore.redeliver(endpoint.projectId, endpoint.id, firstDelivery!.id, at(1_500)),
          Effect.fromOption
        )
        assert.deepStrictEqual(
          [resetDelivery.status, resetDelivery.attempts, resetDelivery.nextAttemptAt],
          ["PENDING", 0, at(1_500)]
        )
        assert.strictEqual(resetDelivery.log.length, 1)
        assert.deepStrictEqual(yield* claimedIds("a", at(1_500)), [secondDelivery!.id, firstDelivery!.id])
        yield* queue.record(endpoint.projectId, firstDelivery!.id, "a", deliveredResult(at(1_500)))
        yield* queue.record(endpoint.projectId, secondDelivery!.id, "a", deliveredResult(at(1_500)))
        assert.deepStrictEqual(
          yield* deliveryStore.redeliver(endpoint.projectId, endpoint.id, "dlv_unknown", now),
          Option.none()
        )
        assert.deepStrictEqual(
          yield* deliveryStore.redeliver(aProjectId(), endpoint.id, firstDelivery!.id, now),
          Option.none()
        )
        const otherEndpoint = yield* insertEndpoint({ projectId: endpoint.projectId })
        assert.deepStrictEqual(
          yield* deliveryStore.redeliver(endpoint.projectId, otherEndpoint.id, firstDelivery!.id, now),
          Option.none()
        )
      })
    )
  })
}
