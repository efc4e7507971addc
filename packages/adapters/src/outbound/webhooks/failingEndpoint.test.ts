import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { EventOutbox, EventSerializer } from "@countersign/core/tenancy/events"
import {
  WebhookDeliveries,
  WebhookDeliveryStore,
  WebhookEndpointStore,
  type WebhookResponse,
  WebhookSender,
  Webhooks
} from "@countersign/core/tenancy/webhooks"
import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../../../test/support/databases.ts"
import { deliverDue } from "../../../test/support/deliverDue.ts"
import { NodeEntropy } from "../../service/node/index.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Current response of the endpoints. */
let response: Effect.Effect<WebhookResponse> = Effect.never
const answering = (status: number) => Effect.succeed({ status, retryAfterMs: null })

const sender = Layer.succeed(
  WebhookSender,
  WebhookSender.of({ deadlineMs: 15_000, urlProblemOrNull: () => null, post: () => Effect.suspend(() => response) })
)

/** Whether the service can serialize the resource of an event. */
let canSerialize = true
const serializer = Layer.succeed(
  EventSerializer,
  EventSerializer.of({
    serialize: () => (canSerialize ? Effect.succeed({}) : Effect.die(new Error("a bug")))
  })
)

for (const [name, stores] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  const service = Layer.merge(WebhookDeliveries.layer, Webhooks.layer).pipe(
    Layer.provide([sender, serializer, NodeEntropy.layer]),
    Layer.provideMerge(stores)
  )

  layer(service)(`An endpoint that fails on ${name}`, (it) => {
    const resetState = Effect.gen(function* () {
      response = answering(500)
      canSerialize = true
      const endpointStore = yield* WebhookEndpointStore
      const endpoint = anEndpoint()
      yield* endpointStore.insert(endpoint)
      return endpoint
    })

    const append = ({ projectId }: { readonly projectId: ReturnType<typeof anEndpoint>["projectId"] }) =>
      EventOutbox.use((outbox) => outbox.append(anEvent({ projectId })))

    const storedEndpoint = ({ id, projectId }: ReturnType<typeof anEndpoint>) =>
      WebhookEndpointStore.use((store) => Effect.flatMap(store.find(projectId, id), Effect.fromOption))

    const statusesOf = ({ id, projectId }: ReturnType<typeof anEndpoint>) =>
      Effect.map(
        WebhookDeliveryStore.use((store) => store.list({ projectId, endpointId: id, after: null, take: 100 })),
        (deliveries) => deliveries.map(({ status }) => status).toSorted()
      )

    const nextAttemptOrNull = ({ id, projectId }: ReturnType<typeof anEndpoint>) =>
      Effect.map(
        WebhookDeliveryStore.use((store) => store.list({ projectId, endpointId: id, after: null, take: 100 })),
        (deliveries) =>
          deliveries.reduce<number | null>((earliest, { nextAttemptAt }) => {
            if (nextAttemptAt === null) return earliest
            const attemptMs = DateTime.toEpochMillis(nextAttemptAt)
            return earliest === null ? attemptMs : Math.min(earliest, attemptMs)
          }, null)
      )

    /** Makes all delivery attempts that become due within the time. */
    const pass = (endpoint: ReturnType<typeof anEndpoint>, milliseconds: number) =>
      Effect.gen(function* () {
        const end = (yield* Clock.currentTimeMillis) + milliseconds
        for (;;) {
          yield* deliverDue()
          const now = yield* Clock.currentTimeMillis
          const nextAttempt = yield* nextAttemptOrNull(endpoint)
          if (nextAttempt === null || nextAttempt > end) return yield* TestClock.adjust(end - now)
          assert.isAbove(nextAttempt, now, "what was due is still to be attempted")
          yield* TestClock.adjust(nextAttempt - now)
        }
      })

    it.effect("records since when it fails, and clears that after a success", () =>
      Effect.gen(function* () {
        const endpoint = yield* resetState
        yield* append(endpoint)
        yield* pass(endpoint, HOUR_MS)
        const failingEndpoint = yield* storedEndpoint(endpoint)
        assert.deepStrictEqual(failingEndpoint.failingSince, DateTime.makeUnsafe(0))
        yield* append(endpoint)
        yield* pass(endpoint, HOUR_MS)
        assert.deepStrictEqual((yield* storedEndpoint(endpoint)).failingSince, DateTime.makeUnsafe(0))
        response = answering(204)
        yield* append(endpoint)
        yield* pass(endpoint, HOUR_MS)
        assert.isNull((yield* storedEndpoint(endpoint)).failingSince)
      })
    )

    it.effect(
      "is disabled if a delivery fails finally after 5 days without a success, with its pending deliveries",
      () =>
        Effect.gen(function* () {
          const endpoint = yield* resetState
          yield* append(endpoint)
          yield* pass(endpoint, 4 * DAY_MS)
          assert.deepStrictEqual(yield* statusesOf(endpoint), ["FAILED"])
          assert.isNull((yield* storedEndpoint(endpoint)).disabledAt)
          yield* append(endpoint)
          yield* pass(endpoint, 3 * DAY_MS)
          yield* append(endpoint)
          assert.isNull((yield* storedEndpoint(endpoint)).disabledAt)
          yield* pass(endpoint, DAY_MS)
          const { disabledAt, disabledReason } = yield* storedEndpoint(endpoint)
          assert.strictEqual(disabledReason, "it accepted no delivery for 5 days")
          const day = DateTime.toEpochMillis(disabledAt!) / DAY_MS
          assert.isTrue(day > 7 && day < 8, String(day))
          assert.deepStrictEqual(yield* statusesOf(endpoint), ["DISABLED", "FAILED", "FAILED"])
        })
    )

    it.effect("stays enabled if it accepted a delivery in the meantime", () =>
      Effect.gen(function* () {
        const endpoint = yield* resetState
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        response = answering(200)
        yield* append(endpoint)
        yield* pass(endpoint, HOUR_MS)
        response = answering(500)
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        assert.deepStrictEqual(yield* statusesOf(endpoint), ["DELIVERED", "FAILED", "FAILED"])
        assert.isNull((yield* storedEndpoint(endpoint)).disabledAt)
      })
    )

    it.effect("stays enabled if another worker's delivery succeeded during the last attempt", () =>
      Effect.gen(function* () {
        const endpoint = yield* resetState
        const endpointStore = yield* WebhookEndpointStore
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        yield* append(endpoint)
        // Makes all attempts of the second delivery except the last.
        yield* pass(endpoint, 51.5 * HOUR_MS + DAY_MS / 4)
        assert.deepStrictEqual(yield* statusesOf(endpoint), ["FAILED", "PENDING"])
        response = Effect.as(
          endpointStore.change(endpoint.projectId, endpoint.id, (before) => ({ ...before, failingSince: null })),
          { status: 500, retryAfterMs: null }
        )
        yield* pass(endpoint, 2 * DAY_MS)
        assert.deepStrictEqual(yield* statusesOf(endpoint), ["FAILED", "FAILED"])
        assert.isNull((yield* storedEndpoint(endpoint)).disabledAt)
      })
    )

    it.effect("has another 5 days after it is enabled again", () =>
      Effect.gen(function* () {
        const endpoint = yield* resetState
        const webhooks = yield* Webhooks
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        assert.isNotNull((yield* storedEndpoint(endpoint)).disabledAt)
        const enabledEndpoint = yield* webhooks.enable(endpoint.projectId, endpoint.id)
        assert.deepStrictEqual(
          [enabledEndpoint.disabledAt, enabledEndpoint.disabledReason, enabledEndpoint.failingSince],
          [null, null, null]
        )
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        assert.isNull((yield* storedEndpoint(endpoint)).disabledAt)
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        assert.isNotNull((yield* storedEndpoint(endpoint)).disabledAt)
      })
    )

    it.effect("is not disabled because of the service's own errors", () =>
      Effect.gen(function* () {
        const endpoint = yield* resetState
        canSerialize = false
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        yield* append(endpoint)
        yield* pass(endpoint, 4 * DAY_MS)
        assert.deepStrictEqual(yield* statusesOf(endpoint), ["FAILED", "FAILED"])
        const { disabledAt, failingSince } = yield* storedEndpoint(endpoint)
        assert.deepStrictEqual([disabledAt, failingSince], [null, null])
      })
    )
  })
}
