import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { WebhookDeliveryQueue } from "./delivering/WebhookDeliveryQueue.ts"
import { TROUBLED_ENDPOINTS_MAX, WebhookBacklogReader } from "./WebhookBacklogReader.ts"
import { anEvent } from "./WebhookEndpoint.fixture.ts"
import { WebhookEndpointStore } from "./WebhookEndpointStore.ts"
import {
  append,
  claim,
  emptyQueue,
  failedResult,
  insertEndpoint,
  now,
  type WebhookStores
} from "./webhookStores.fixture.ts"

/** Contract tests that every `WebhookBacklogReader` must pass. */
export const webhookBacklogReaderContract = <E>(name: string, stores: Layer.Layer<WebhookStores, E>): void => {
  layer(stores)(`WebhookBacklogReader on ${name}`, (it) => {
    it.effect("counts due deliveries, and returns the time of the oldest one", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const reader = yield* WebhookBacklogReader
        const idleBacklog = yield* reader.read(now)
        assert.deepStrictEqual([idleBacklog.due, idleBacklog.oldestDueAt], [0, null])
        const endpoint = yield* insertEndpoint()
        const event = anEvent({ projectId: endpoint.projectId })
        for (const offsetMs of [30, 10, 20]) {
          yield* TestClock.setTime(DateTime.toEpochMillis(at(offsetMs)))
          yield* append(anEvent({ projectId: endpoint.projectId }))
        }
        // The second delivery is not due, because it waits for the first one.
        yield* Effect.forEach([event, event], append)
        const backlogBefore = yield* reader.read(at(9))
        assert.deepStrictEqual([backlogBefore.due, backlogBefore.oldestDueAt], [0, null])
        const earlyBacklog = yield* reader.read(at(20))
        assert.deepStrictEqual([earlyBacklog.due, earlyBacklog.oldestDueAt], [3, at(10)])
        const backlog = yield* reader.read(now)
        assert.deepStrictEqual([backlog.due, backlog.oldestDueAt], [4, at(10)])
      })
    )

    it.effect("lists endpoints with retries and disabled endpoints, without their full URL", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpointStore = yield* WebhookEndpointStore
        const reader = yield* WebhookBacklogReader
        const healthyEndpoint = yield* insertEndpoint()
        const failingEndpoint = yield* insertEndpoint({
          url: "https://user:secret@failing.example:8443/hook/secret?key=secret",
          failingSince: at(600)
        })
        const disabledEndpoint = yield* insertEndpoint({ url: "https://gone.example/secret" })
        const event = anEvent({ projectId: failingEndpoint.projectId })
        yield* Effect.forEach([event, event, anEvent({ projectId: failingEndpoint.projectId })], append)
        for (const { projectId } of [healthyEndpoint, disabledEndpoint]) yield* append(anEvent({ projectId }))
        const claims = yield* claim("a")
        const failingDeliveryIds = claims
          .filter(({ endpoint }) => endpoint.id === failingEndpoint.id)
          .map(({ delivery }) => delivery.id)
        yield* queue.record(failingEndpoint.projectId, failingDeliveryIds[0]!, "a", failedResult(now, at(9_000), 2))
        yield* queue.record(failingEndpoint.projectId, failingDeliveryIds[1]!, "a", {
          ...failedResult(now, at(5_000)),
          lastStatus: 503,
          lastError: "responded with 503"
        })
        yield* endpointStore.disable(
          disabledEndpoint.projectId,
          disabledEndpoint.id,
          at(2_000),
          "it responded with 410 Gone"
        )

        const ownIds = [healthyEndpoint.id, failingEndpoint.id, disabledEndpoint.id]
        const { troubled } = yield* reader.read(now)
        assert.deepStrictEqual(
          troubled.filter(({ endpointId }) => ownIds.includes(endpointId)),
          [
            {
              endpointId: failingEndpoint.id,
              projectId: failingEndpoint.projectId,
              host: "failing.example:8443",
              pending: 3,
              lastStatus: 503,
              lastError: "responded with 503",
              nextAttemptAt: at(5_000),
              failingSince: at(600),
              disabledAt: null,
              disabledReason: null
            },
            {
              endpointId: disabledEndpoint.id,
              projectId: disabledEndpoint.projectId,
              host: "gone.example",
              pending: 0,
              lastStatus: null,
              lastError: null,
              nextAttemptAt: null,
              failingSince: null,
              disabledAt: at(2_000),
              disabledReason: "it responded with 410 Gone"
            }
          ]
        )
      })
    )

    it.effect("limits the listed endpoints; the most recently disabled ones are first", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const endpointStore = yield* WebhookEndpointStore
        const reader = yield* WebhookBacklogReader
        const endpoints = yield* Effect.forEach(Array.from({ length: TROUBLED_ENDPOINTS_MAX + 2 }), (_, index) =>
          insertEndpoint({ disabledAt: at(1e6 + index), disabledReason: "gone" })
        )
        const { troubled } = yield* reader.read(now)
        assert.deepStrictEqual(
          troubled.map(({ endpointId }) => endpointId),
          endpoints
            .toReversed()
            .slice(0, TROUBLED_ENDPOINTS_MAX)
            .map(({ id }) => id)
        )
        yield* Effect.forEach(endpoints, ({ id, projectId }) => endpointStore.remove(projectId, id))
      })
    )
  })
}
