import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { EventOutbox, EventSerializer, type NewEvent } from "@countersign/core/tenancy/events"
import {
  NoWebhookResponse,
  WebhookDeliveries,
  WebhookDeliveryQueue,
  WebhookDeliveryStore,
  type WebhookEndpoint,
  WebhookEndpointStore,
  type WebhookMessage,
  type WebhookResponse,
  WebhookSender
} from "@countersign/core/tenancy/webhooks"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { deliverDue } from "../../../test/support/deliverDue.ts"
import { layerSqlite } from "../../storage/kysely/index.ts"

/** Endpoints that record deliveries and return these responses. */
const endpointsWith = (
  response: (message: WebhookMessage, count: number) => Effect.Effect<WebhookResponse, NoWebhookResponse>
) => {
  const sentItems: Array<WebhookMessage> = []
  const layer = Layer.succeed(
    WebhookSender,
    WebhookSender.of({
      deadlineMs: 15_000,
      urlProblemOrNull: () => null,
      post: (message) =>
        Effect.suspend(() => {
          sentItems.push(message)
          return response(message, sentItems.length)
        })
    })
  )
  return { sentItems, layer }
}

const serializer = Layer.succeed(
  EventSerializer,
  EventSerializer.of({
    serialize: ({ resource }) => Effect.succeed({ id: resource.id, metadata: { order: "7", b: "8" } })
  })
)

/** Provides a separate service for each test. */
const service = (sender: Layer.Layer<WebhookSender>) =>
  WebhookDeliveries.layer.pipe(
    Layer.provide([sender, serializer]),
    Layer.provideMerge(Layer.fresh(layerSqlite(":memory:")))
  )

const status = (code: number, retryAfterMs: number | null = null) => Effect.succeed({ status: code, retryAfterMs })

const insertEndpoint = (fields: Partial<WebhookEndpoint> = {}) =>
  WebhookEndpointStore.use((store) => {
    const endpoint = anEndpoint(fields)
    return Effect.as(store.insert(endpoint), endpoint)
  })

const append = (event: NewEvent) => EventOutbox.use((outbox) => outbox.append(event))
const deliveriesOf = ({ id: endpointId, projectId }: WebhookEndpoint) =>
  WebhookDeliveryStore.use((store) => store.list({ projectId, endpointId, after: null, take: 100 }))

const onlyDelivery = (endpoint: WebhookEndpoint) => Effect.map(deliveriesOf(endpoint), ([delivery]) => delivery!)

describe("WebhookDeliveries", () => {
  it.effect("sends type, timestamp and data, the same bytes in every attempt", () => {
    const { layer, sentItems } = endpointsWith((_, count) => status(count === 1 ? 500 : 200))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      const event = yield* append(
        anEvent({ projectId: endpoint.projectId, type: "transaction.failed", previousStatus: "PROCESSING" })
      )
      assert.strictEqual(yield* deliverDue(), 1)
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(yield* deliverDue(), 1)
      assert.strictEqual(yield* deliverDue(), 0)
      const [first, second] = sentItems
      assert.deepStrictEqual(JSON.parse(first!.body), {
        type: "transaction.failed",
        timestamp: "2026-05-28T20:26:40.123Z",
        data: {
          id: event.resource.id,
          metadata: { order: "7", b: "8" },
          metadataKey: "order",
          metadataValue: "7",
          sequence: 1,
          previousStatus: "PROCESSING"
        }
      })
      assert.deepStrictEqual([second!.body, second!.id, second!.url], [first!.body, event.id, endpoint.url])
      const delivery = yield* onlyDelivery(endpoint)
      assert.deepStrictEqual([delivery.status, delivery.attempts, delivery.lastError], ["DELIVERED", 2, null])
      assert.deepStrictEqual(
        delivery.log.map((attempt) => [attempt.status, attempt.error]),
        [
          [500, "responded with 500"],
          [200, null]
        ]
      )
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("makes ten attempts over the schedule, then fails", () => {
    const { layer, sentItems } = endpointsWith(() =>
      Effect.fail(new NoWebhookResponse({ reason: "it could not be reached" }))
    )
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      yield* append(anEvent({ projectId: endpoint.projectId }))
      const hours = [0, 5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24]
      for (const [index, hour] of hours.entries()) {
        if (index > 0) {
          yield* TestClock.adjust(`${Math.floor(hour * 3_600_000) - 1} millis`)
          assert.strictEqual(yield* deliverDue(), 0, `attempt ${index + 1} comes early`)
          // Up to a tenth of the delay is random.
          yield* TestClock.adjust(`${Math.ceil(hour * 360_000) + 2} millis`)
        }
        assert.strictEqual(yield* deliverDue(), 1, `attempt ${index + 1} does not come`)
      }
      yield* TestClock.adjust("1000 days")
      assert.strictEqual(yield* deliverDue(), 0)
      assert.strictEqual(sentItems.length, 10)
      const delivery = yield* onlyDelivery(endpoint)
      assert.deepStrictEqual(
        [delivery.status, delivery.attempts, delivery.lastError, delivery.nextAttemptAt],
        ["FAILED", 10, "it could not be reached", null]
      )
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("disables an endpoint that responds with 410, and all its pending deliveries", () => {
    const { layer, sentItems } = endpointsWith(() => status(410))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      const event = anEvent({ projectId: endpoint.projectId })
      yield* append(event)
      yield* append(event)
      yield* deliverDue()
      yield* TestClock.adjust("1 hour")
      yield* deliverDue()
      assert.strictEqual(sentItems.length, 1)
      assert.deepStrictEqual(
        (yield* deliveriesOf(endpoint)).map((delivery) => delivery.status),
        ["DISABLED", "DISABLED"]
      )
      const endpointStore = yield* WebhookEndpointStore
      const storedItems = yield* Effect.flatMap(endpointStore.find(endpoint.projectId, endpoint.id), Effect.fromOption)
      assert.include(storedItems.disabledReason, "410")
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("keeps the events of one resource in order during failures, and delivers those of other resources", () => {
    const { layer, sentItems } = endpointsWith((_, count) => status(count === 1 ? 503 : 200))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      const event = anEvent({ projectId: endpoint.projectId })
      const [first, second] = [yield* append(event), yield* append(event)]
      yield* deliverDue()
      const otherEvent = yield* append(anEvent({ projectId: endpoint.projectId }))
      yield* deliverDue()
      yield* TestClock.adjust("6 seconds")
      yield* deliverDue()
      yield* deliverDue()
      assert.deepStrictEqual(
        sentItems.map(({ id }) => id),
        [first.id, otherEvent.id, first.id, second.id]
      )
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("waits as long as the endpoint asks for", () => {
    const { layer } = endpointsWith((_, count) => status(count === 1 ? 429 : 200, 600_000))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      yield* append(anEvent({ projectId: endpoint.projectId }))
      yield* deliverDue()
      yield* TestClock.adjust("599 seconds")
      assert.strictEqual(yield* deliverDue(), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* deliverDue(), 1)
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("pauses an endpoint that does not respond, without attempts at its other deliveries", () => {
    const { layer, sentItems } = endpointsWith(() => Effect.fail(new NoWebhookResponse({ reason: "no response" })))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      yield* Effect.forEach(Array.from({ length: 30 }), () => append(anEvent({ projectId: endpoint.projectId })))
      yield* deliverDue()
      const attemptedCount = sentItems.length
      assert.isAtMost(attemptedCount, 8)
      assert.strictEqual(yield* deliverDue(), 0)
      const waitingDeliveries = (yield* deliveriesOf(endpoint)).filter(({ attempts }) => attempts === 0)
      assert.strictEqual(waitingDeliveries.length, 30 - attemptedCount)
      yield* TestClock.adjust("5 seconds")
      assert.isAbove(yield* deliverDue(), 0)
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("attempts each delivery in one worker at a time, for any number of concurrent workers", () => {
    let [active, maxActive] = [0, 0]
    const { layer, sentItems } = endpointsWith(() =>
      Effect.gen(function* () {
        active += 1
        maxActive = Math.max(maxActive, active)
        yield* Effect.yieldNow
        active -= 1
        return { status: 200, retryAfterMs: null }
      })
    )
    return Effect.gen(function* () {
      const database = yield* Layer.build(Layer.fresh(layerSqlite(":memory:")))
      const worker = () =>
        Layer.build(
          Layer.fresh(WebhookDeliveries.layer.pipe(Layer.provide([layer, serializer]))).pipe(
            Layer.provide(Layer.succeedContext(database))
          )
        )
      const [a, b] = [yield* worker(), yield* worker()]
      const endpoint = yield* Effect.provide(insertEndpoint(), database)
      yield* Effect.forEach(Array.from({ length: 100 }), () =>
        Effect.provide(append(anEvent({ projectId: endpoint.projectId })), database)
      )
      const drain = (name: string) =>
        Effect.repeat(deliverDue(name), { until: (count) => count === 0 }).pipe(Effect.provide(name === "a" ? a : b))
      yield* Effect.all([drain("a"), drain("b")], { concurrency: 2, discard: true })
      assert.strictEqual(sentItems.length, 100)
      assert.strictEqual(new Set(sentItems.map(({ id }) => id)).size, 100)
      assert.isAtMost(maxActive, 16)
      const allDeliveries = yield* Effect.provide(deliveriesOf(endpoint), database)
      assert.isTrue(allDeliveries.every((delivery) => delivery.status === "DELIVERED" && delivery.attempts === 1))
    })
  })

  it.effect("repeats a delivery that a worker sent but did not record before it died", () =>
    Effect.gen(function* () {
      const database = yield* Layer.build(Layer.fresh(layerSqlite(":memory:")))
      const { layer, sentItems } = endpointsWith(() => status(200))
      // A worker that is killed while it sends, so that it keeps its claim.
      const layerDyingSender = Layer.effect(
        WebhookDeliveryQueue,
        Effect.map(WebhookDeliveryQueue, (store) =>
          WebhookDeliveryQueue.of({
            ...store,
            record: () => Effect.die(new Error("killed")),
            release: () => Effect.void
          })
        )
      )
      const build = (stores: Layer.Layer<WebhookDeliveryQueue, never, WebhookDeliveryQueue>) =>
        Layer.build(
          Layer.fresh(WebhookDeliveries.layer.pipe(Layer.provide([layer, serializer, stores]))).pipe(
            Layer.provide(Layer.succeedContext(database))
          )
        )
      const endpoint = yield* Effect.provide(insertEndpoint(), database)
      const event = yield* Effect.provide(append(anEvent({ projectId: endpoint.projectId })), database)
      yield* Effect.provide(deliverDue("victim"), yield* build(layerDyingSender))
      const secondWorker = yield* build(Layer.effect(WebhookDeliveryQueue, WebhookDeliveryQueue))
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* Effect.provide(deliverDue("heir"), secondWorker), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Effect.provide(deliverDue("heir"), secondWorker), 1)
      assert.deepStrictEqual(
        sentItems.map(({ id }) => id),
        [event.id, event.id]
      )
      const delivery = yield* Effect.provide(onlyDelivery(endpoint), database)
      assert.deepStrictEqual([delivery.status, delivery.attempts], ["DELIVERED", 1])
    })
  )

  it.effect("releases its claims immediately when it is stopped", () => {
    const { layer } = endpointsWith((_, count) => (count === 1 ? Effect.never : status(200)))
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      yield* append(anEvent({ projectId: endpoint.projectId }))
      const sendStarted = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(Effect.andThen(Deferred.succeed(sendStarted, undefined), deliverDue("a")))
      yield* Deferred.await(sendStarted)
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* deliverDue("b"), 1)
      assert.strictEqual((yield* onlyDelivery(endpoint)).status, "DELIVERED")
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("signs with the secrets that are valid at the time", () => {
    const { layer, sentItems } = endpointsWith((_, count) => status(count === 1 ? 500 : 200))
    return Effect.gen(function* () {
      const endpointStore = yield* WebhookEndpointStore
      const endpoint = yield* insertEndpoint()
      yield* append(anEvent({ projectId: endpoint.projectId }))
      yield* deliverDue()
      const replacement = anEndpoint().secrets[0]!
      yield* endpointStore.change(endpoint.projectId, endpoint.id, (before) => ({
        ...before,
        secrets: [replacement]
      }))
      yield* TestClock.adjust("6 seconds")
      yield* deliverDue()
      assert.deepStrictEqual(
        sentItems.map(({ secrets }) => secrets.map(Redacted.value)),
        [[Redacted.value(endpoint.secrets[0]!.secret)], [Redacted.value(replacement.secret)]]
      )
    }).pipe(Effect.provide(service(layer)))
  })

  it.effect("sends other events while an event type of a later version can't be serialized", () => {
    const { layer, sentItems } = endpointsWith(() => status(200))
    const transactionsOnly = Layer.succeed(
      EventSerializer,
      EventSerializer.of({
        serialize: ({ resource }) =>
          resource.kind === "transaction" ? Effect.succeed({}) : Effect.die(new Error(`no presenter: ${resource.kind}`))
      })
    )
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint({ eventTypes: ["transaction.*", "lottery.*"] })
      const { projectId } = endpoint
      yield* append(anEvent({ projectId, type: "lottery.drawn", resource: { kind: "lottery", id: "1" } }))
      yield* append(anEvent({ projectId }))
      yield* deliverDue()
      assert.strictEqual(sentItems.length, 1)
      const deliveries = yield* WebhookDeliveryStore.use((store) =>
        store.list({ projectId, endpointId: endpoint.id, after: null, take: 10 })
      )
      assert.deepStrictEqual(deliveries.map(({ eventType, status }) => `${eventType} ${status}`).sort(), [
        "lottery.drawn PENDING",
        "transaction.created DELIVERED"
      ])
    }).pipe(
      Effect.provide(
        WebhookDeliveries.layer.pipe(
          Layer.provide([layer, transactionsOnly]),
          Layer.provideMerge(Layer.fresh(layerSqlite(":memory:")))
        )
      )
    )
  })

  it.effect("counts an internal error as an attempt", () => {
    const { layer, sentItems } = endpointsWith(() => status(200))
    const brokenLayer = Layer.succeed(
      EventSerializer,
      EventSerializer.of({ serialize: () => Effect.die(new Error("a bug")) })
    )
    return Effect.gen(function* () {
      const endpoint = yield* insertEndpoint()
      yield* append(anEvent({ projectId: endpoint.projectId }))
      yield* deliverDue()
      const delivery = yield* onlyDelivery(endpoint)
      assert.deepStrictEqual([delivery.status, delivery.attempts], ["PENDING", 1])
      assert.include(delivery.lastError, "internal error of this service")
      assert.notInclude(delivery.lastError, "a bug")
      assert.deepStrictEqual(sentItems, [])
      assert.isTrue(Option.isSome(Option.fromNullishOr(delivery.nextAttemptAt)))
    }).pipe(
      Effect.provide(
        WebhookDeliveries.layer.pipe(
          Layer.provide([layer, brokenLayer]),
          Layer.provideMerge(Layer.fresh(layerSqlite(":memory:")))
        )
      )
    )
  })
})
