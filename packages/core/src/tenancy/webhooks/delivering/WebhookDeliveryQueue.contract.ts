import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../../foundation/primitives/ids.fixture.ts"
import { WorkClaims } from "../../../foundation/work/index.ts"
import type { DomainEvent } from "../../events/index.ts"
import { aProjectId } from "../../projects/Project.fixture.ts"
import { anEvent, aSecret } from "../WebhookEndpoint.fixture.ts"
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
  revealSecrets,
  type WebhookStores
} from "../webhookStores.fixture.ts"
import { WebhookDeliveryQueue } from "./WebhookDeliveryQueue.ts"

/** Contract tests that every `WebhookDeliveryQueue` must pass. */
export const webhookDeliveryQueueContract = <E>(
  name: string,
  stores: Layer.Layer<WebhookStores | WorkClaims, E>
): void => {
  layer(stores)(`WebhookDeliveryQueue on ${name}`, (it) => {
    it.effect("returns a claimed delivery with its endpoint, its event and its previous body", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpoint = yield* insertEndpoint({ secrets: [aSecret(), aSecret({ expiresAt: at(9) })] })
        const event = yield* append(
          anEvent({ projectId: endpoint.projectId, type: "transaction.failed", previousStatus: "PROCESSING" })
        )
        const [claimedDelivery] = yield* claim("a")
        assert.deepStrictEqual(claimedDelivery?.event, event)
        assert.deepStrictEqual(revealSecrets(claimedDelivery!.endpoint), revealSecrets(endpoint))
        assert.isNull(claimedDelivery?.body)
        assert.strictEqual(yield* queue.storeBody(event.projectId, event.id, "first"), "first")
        assert.strictEqual(yield* queue.storeBody(event.projectId, event.id, "second"), "first")
        yield* queue.release(endpoint.projectId, claimedDelivery!.delivery.id, "a")
        assert.strictEqual((yield* claim("b"))[0]?.body, "first")
      })
    )

    it.effect("claims only due deliveries, longest overdue first, up to a limit, and none of excluded endpoints", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const projectId = aProjectId()
        const [endpoint, otherEndpoint] = [yield* insertEndpoint({ projectId }), yield* insertEndpoint()]
        const ids: Array<string> = []
        for (const offsetMs of [30, 10, 20]) {
          yield* TestClock.setTime(DateTime.toEpochMillis(at(offsetMs)))
          ids.push((yield* deliveryOf(endpoint, yield* append(anEvent({ projectId })))).id)
        }
        yield* TestClock.setTime(DateTime.toEpochMillis(at(25)))
        const otherDelivery = yield* deliveryOf(
          otherEndpoint,
          yield* append(anEvent({ projectId: otherEndpoint.projectId }))
        )
        assert.deepStrictEqual(yield* claimedIds("a", at(9)), [])
        assert.deepStrictEqual(yield* claimedIds("a", at(50), at(60), 1), [ids[1]!])
        assert.deepStrictEqual(yield* claimedIds("b", at(50), at(60), 9, [endpoint.id]), [otherDelivery.id])
        assert.deepStrictEqual(yield* claimedIds("b", at(50), at(60)), [ids[2]!, ids[0]!])
        assert.deepStrictEqual(yield* claimedIds("c", at(59), at(99)), [])
        assert.deepStrictEqual(yield* claimedIds("c", at(60), at(99), 2), [ids[1]!, ids[2]!])
      })
    )

    it.effect("assigns each delivery to one of eight concurrent workers", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const endpoint = yield* insertEndpoint()
        yield* Effect.forEach(Array.from({ length: 40 }), () => append(anEvent({ projectId: endpoint.projectId })))
        const claimAll = (worker: string): Effect.Effect<ReadonlyArray<string>, never, WebhookDeliveryQueue> =>
          Effect.flatMap(claimedIds(worker, now, at(100_000), 3), (batchIds) =>
            batchIds.length === 0
              ? Effect.succeed([])
              : Effect.map(Effect.andThen(Effect.yieldNow, claimAll(worker)), (laterIds) => [...batchIds, ...laterIds])
          )
        const claims = yield* Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], claimAll, { concurrency: 8 })
        const allIds = (yield* deliveriesOf(endpoint)).map(({ id }) => id)
        assert.deepStrictEqual(claims.flat().toSorted(), allIds.toSorted())
      })
    )

    it.effect("delays later events of the same resource until the delivery of the earlier one has ended", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpoint = yield* insertEndpoint()
        const event = anEvent({ projectId: endpoint.projectId })
        const [first, second, third] = yield* Effect.forEach([event, event, event], append)
        const otherEvent = yield* append(anEvent({ projectId: endpoint.projectId }))
        const deliveryIdOf = (each: DomainEvent) => Effect.map(deliveryOf(endpoint, each), (delivery) => delivery.id)
        const [firstId, secondId, thirdId, otherId] = yield* Effect.forEach(
          [first!, second!, third!, otherEvent],
          deliveryIdOf
        )
        assert.sameMembers([...(yield* claimedIds("a"))], [firstId!, otherId!])

        yield* queue.record(endpoint.projectId, firstId!, "a", failedResult(now, at(2_000)))
        assert.deepStrictEqual(yield* claimedIds("a", at(1_999)), [])
        assert.deepStrictEqual(yield* claimedIds("a", at(2_000)), [firstId!])
        yield* queue.record(endpoint.projectId, firstId!, "a", failedResult(at(2_000), null, 2))
        assert.deepStrictEqual(yield* claimedIds("a"), [secondId!])
        yield* queue.record(endpoint.projectId, secondId!, "a", deliveredResult(now))
        assert.deepStrictEqual(yield* claimedIds("a"), [thirdId!])
        yield* queue.record(endpoint.projectId, thirdId!, "a", deliveredResult(now))
        assert.deepStrictEqual(yield* claimedIds("a"), [])

        const endedDelivery = yield* deliveryOf(endpoint, first!)
        assert.strictEqual(endedDelivery.status, "FAILED")
        assert.strictEqual(endedDelivery.attempts, 2)
        assert.strictEqual(endedDelivery.lastError, "no response")
        assert.deepStrictEqual(
          endedDelivery.log.map((attempt) => attempt.at),
          [now, at(2_000)]
        )
      })
    )

    it.effect("releases every delayed delivery, also if events are stored while earlier deliveries end", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpoint = yield* insertEndpoint()
        const event = anEvent({ projectId: endpoint.projectId })
        const count = 30
        const deliveredSequences: Array<number> = []
        const deliverAll = Effect.gen(function* () {
          while (deliveredSequences.length < count) {
            const claims = yield* claim("a", at(10_000), at(100_000))
            for (const { delivery } of claims) {
              deliveredSequences.push(delivery.sequence)
              yield* queue.record(endpoint.projectId, delivery.id, "a", deliveredResult(now))
            }
            yield* Effect.yieldNow
          }
        })
        yield* Effect.all(
          [
            Effect.forEach(Array.from({ length: count }), () => Effect.andThen(append(event), Effect.yieldNow), {
              concurrency: 4,
              discard: true
            }),
            deliverAll
          ],
          { concurrency: 2, discard: true }
        )
        assert.deepStrictEqual(
          deliveredSequences,
          Array.from({ length: count }, (_, index) => index + 1)
        )
      })
    )

    it.effect("allows another worker to claim a delivery after its lease, and rejects the first worker's result", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const queue = yield* WebhookDeliveryQueue
        const endpoint = yield* insertEndpoint()
        const event = yield* append(anEvent({ projectId: endpoint.projectId }))
        const { id } = yield* deliveryOf(endpoint, event)
        assert.deepStrictEqual(yield* claimedIds("dead", now, at(2_000)), [id])
        assert.deepStrictEqual(yield* claimedIds("heir", at(1_999), at(9_000)), [])
        assert.deepStrictEqual(yield* claimedIds("heir", at(2_000), at(9_000)), [id])
        assert.isFalse(yield* queue.record(endpoint.projectId, id, "dead", failedResult(now, null)))
        yield* queue.release(endpoint.projectId, id, "dead")
        assert.isFalse(yield* queue.record(aProjectId(), id, "heir", deliveredResult(at(3_000))))
        yield* queue.release(aProjectId(), id, "heir")
        assert.deepStrictEqual(yield* claimedIds("other", at(3_000)), [])
        assert.isTrue(yield* queue.record(endpoint.projectId, id, "heir", deliveredResult(at(3_000))))
        assert.isFalse(yield* queue.record(endpoint.projectId, id, "heir", deliveredResult(at(3_000))))
        const delivery = yield* deliveryOf(endpoint, event)
        assert.strictEqual(delivery.status, "DELIVERED")
        assert.deepStrictEqual(delivery.deliveredAt, at(3_000))
        assert.strictEqual(delivery.log.length, 1)
      })
    )

    it.effect("releases all claims on request", () =>
      Effect.gen(function* () {
        yield* emptyQueue
        const endpoint = yield* insertEndpoint()
        yield* append(anEvent({ projectId: endpoint.projectId }))
        const ids = yield* claimedIds("dead")
        assert.deepStrictEqual(yield* claimedIds("a"), [])
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        assert.deepStrictEqual(yield* claimedIds("a"), ids)
      })
    )
  })
}
