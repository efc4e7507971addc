import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type DomainEvent, EventOutbox, type NewEvent } from "../events/index.ts"
import { at } from "../primitives/ids.fixture.ts"
import { UnitOfWork } from "../primitives/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"
import { anEndpoint, anEvent, aSecret } from "./WebhookEndpoint.fixture.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"
import { type DeliveryResult, TROUBLED_ENDPOINTS_MAX, WebhookStore } from "./WebhookStore.ts"

export { anEndpoint, anEvent, aSecret } from "./WebhookEndpoint.fixture.ts"

/** Redacted values compare equal whatever is in them. */
const plain = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  secrets: endpoint.secrets.map((each) => ({ ...each, secret: Redacted.value(each.secret) }))
})

const delivered = (now: DateTime.Utc): DeliveryResult => ({
  status: "DELIVERED",
  attempts: 1,
  nextAttemptAt: null,
  lastStatus: 200,
  lastError: null,
  deliveredAt: now,
  attempt: { at: now, durationMs: 5, status: 200, error: null }
})

const failed = (now: DateTime.Utc, next: DateTime.Utc | null, attempts = 1): DeliveryResult => ({
  status: next === null ? "FAILED" : "PENDING",
  attempts,
  nextAttemptAt: next,
  lastStatus: null,
  lastError: "no answer",
  deliveredAt: null,
  attempt: { at: now, durationMs: 7, status: null, error: "no answer" }
})

/** What every `WebhookStore` and the `EventOutbox` beside it must do. */
export const webhookStoreContract = <E>(
  name: string,
  stores: Layer.Layer<WebhookStore | EventOutbox | UnitOfWork, E>
): void => {
  layer(stores, { timeout: "60 seconds" })(`WebhookStore and EventOutbox on ${name}`, (it) => {
    const now = at(1_000)

    /** The store at an instant, with no work left over from another test. */
    const idleStore = Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* TestClock.setTime(DateTime.toEpochMillis(now))
      for (;;) {
        const left = yield* store.claim({
          worker: "broom",
          now: at(1e12),
          leaseUntil: at(2e12),
          limit: 100,
          except: []
        })
        if (left.length === 0) return store
        yield* Effect.forEach(left, ({ delivery }) => store.record(delivery.id, "broom", failed(now, null)))
      }
    })

    const inserted = (fields: Partial<WebhookEndpoint> = {}) =>
      WebhookStore.use((store) => {
        const endpoint = anEndpoint(fields)
        return Effect.as(store.insert(endpoint), endpoint)
      })

    const append = (event: NewEvent) => EventOutbox.use((outbox) => outbox.append(event))

    const deliveriesOf = (endpointId: string) =>
      WebhookStore.use((store) => store.listDeliveries({ endpointId, after: null, take: 1_000 }))

    const claim = (
      worker: string,
      claimedAt = now,
      leaseUntil = at(100_000),
      limit = 100,
      except: Array<string> = []
    ) => WebhookStore.use((store) => store.claim({ worker, now: claimedAt, leaseUntil, limit, except }))

    const claimedIds = (...args: Parameters<typeof claim>) =>
      Effect.map(claim(...args), (claimed) => claimed.map(({ delivery }) => delivery.id))

    const deliveryOf = (endpoint: WebhookEndpoint, event: DomainEvent) =>
      Effect.map(deliveriesOf(endpoint.id), (all): WebhookDelivery => all.find(({ eventId }) => eventId === event.id)!)

    it.effect("finds an endpoint as it was inserted, for its own project alone", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
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
        yield* Effect.forEach(endpoints, store.insert)
        for (const endpoint of endpoints) {
          const found = yield* Effect.flatMap(store.find(endpoint.projectId, endpoint.id), Effect.fromOption)
          assert.deepStrictEqual(plain(found), plain(endpoint))
          assert.deepStrictEqual(yield* store.find(aProjectId(), endpoint.id), Option.none())
          assert.deepStrictEqual((yield* store.list(endpoint.projectId)).map(plain), [plain(endpoint)])
        }
        assert.deepStrictEqual(yield* store.list(aProjectId()), [])
      })
    )

    it.effect("changes an endpoint, one change after the other", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const endpoint = yield* inserted()
        yield* Effect.all(
          Array.from({ length: 8 }, (_, index) =>
            store.change(endpoint.projectId, endpoint.id, (before) => ({
              ...before,
              description: `${before.description}${index}`
            }))
          ),
          { concurrency: 8 }
        )
        const found = yield* Effect.flatMap(store.find(endpoint.projectId, endpoint.id), Effect.fromOption)
        assert.deepStrictEqual([...found.description].sort().join(""), "01234567")
        assert.deepStrictEqual(
          yield* store.change(aProjectId(), endpoint.id, (before) => ({ ...before, description: "theirs" })),
          Option.none()
        )
      })
    )

    it.effect("numbers the events of a resource from 1, and those of another project's resource on their own", () =>
      Effect.gen(function* () {
        yield* idleStore
        const event = anEvent()
        const written = yield* Effect.forEach([event, event, event], append)
        assert.deepStrictEqual(
          written.map(({ sequence }) => sequence),
          [1, 2, 3]
        )
        assert.strictEqual(new Set(written.map(({ id }) => id)).size, 3)
        assert.strictEqual((yield* append({ ...event, projectId: aProjectId() })).sequence, 1)
        assert.strictEqual((yield* append(anEvent({ projectId: event.projectId }))).sequence, 1)
      })
    )

    it.effect("numbers without gaps or doubles, however many tell of a resource at once and however many fail", () =>
      Effect.gen(function* () {
        yield* idleStore
        const unit = yield* UnitOfWork
        const event = anEvent()
        const endpoint = yield* inserted({ projectId: event.projectId })
        yield* Effect.forEach(
          Array.from({ length: 24 }, (_, index) => index),
          (index) =>
            Effect.ignore(
              unit.run(Effect.andThen(append(event), index % 3 === 0 ? Effect.fail("refused") : Effect.yieldNow))
            ),
          { concurrency: 12, discard: true }
        )
        const sequences = (yield* deliveriesOf(endpoint.id)).map(({ sequence }) => sequence).sort((a, b) => a - b)
        assert.deepStrictEqual(
          sequences,
          Array.from({ length: 16 }, (_, index) => index + 1)
        )
      })
    )

    it.effect("makes a delivery for each enabled endpoint of the project that wants the event", () =>
      Effect.gen(function* () {
        yield* idleStore
        const projectId = aProjectId()
        const all = yield* inserted({ projectId })
        const some = yield* inserted({ projectId, eventTypes: ["wallet.*", "transaction.created"] })
        const others = yield* inserted({ projectId, eventTypes: ["transaction.completed"] })
        const disabled = yield* inserted({ projectId, disabledAt: at(0), disabledReason: "gone" })
        const theirs = yield* inserted()
        const event = yield* append(anEvent({ projectId }))
        for (const endpoint of [all, some]) {
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
        for (const endpoint of [others, disabled, theirs]) assert.deepStrictEqual(yield* deliveriesOf(endpoint.id), [])
      })
    )

    it.effect("sends an event to one endpoint alone, whatever it wants", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const projectId = aProjectId()
        const endpoint = yield* inserted({ projectId, eventTypes: ["wallet.deployed"] })
        const other = yield* inserted({ projectId })
        const sent = yield* store.send(endpoint.id, anEvent({ projectId, type: "webhook.test" }))
        assert.deepStrictEqual(yield* deliveriesOf(endpoint.id), [Option.getOrThrow(sent)])
        assert.deepStrictEqual(yield* deliveriesOf(other.id), [])
        assert.deepStrictEqual(yield* store.send("whk_unknown", anEvent()), Option.none())
      })
    )

    it.effect("gives a claim the endpoint, the event and what was sent for it before", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted({ secrets: [aSecret(), aSecret({ expiresAt: at(9) })] })
        const event = yield* append(
          anEvent({ projectId: endpoint.projectId, type: "transaction.failed", previousStatus: "PROCESSING" })
        )
        const [claimed] = yield* claim("a")
        assert.deepStrictEqual(claimed?.event, event)
        assert.deepStrictEqual(plain(claimed!.endpoint), plain(endpoint))
        assert.isNull(claimed?.body)
        assert.strictEqual(yield* store.keepBody(event.id, "first"), "first")
        assert.strictEqual(yield* store.keepBody(event.id, "second"), "first")
        yield* store.release(claimed!.delivery.id, "a")
        assert.strictEqual((yield* claim("b"))[0]?.body, "first")
      })
    )

    it.effect("claims the longest due first, as many as asked, none before it is due, none of left-out endpoints", () =>
      Effect.gen(function* () {
        yield* idleStore
        const projectId = aProjectId()
        const [endpoint, other] = [yield* inserted({ projectId }), yield* inserted()]
        const ids: Array<string> = []
        for (const moment of [30, 10, 20]) {
          yield* TestClock.setTime(DateTime.toEpochMillis(at(moment)))
          ids.push((yield* deliveryOf(endpoint, yield* append(anEvent({ projectId })))).id)
        }
        yield* TestClock.setTime(DateTime.toEpochMillis(at(25)))
        const theirs = yield* deliveryOf(other, yield* append(anEvent({ projectId: other.projectId })))
        assert.deepStrictEqual(yield* claimedIds("a", at(9)), [])
        assert.deepStrictEqual(yield* claimedIds("a", at(50), at(60), 1), [ids[1]!])
        assert.deepStrictEqual(yield* claimedIds("b", at(50), at(60), 9, [endpoint.id]), [theirs.id])
        assert.deepStrictEqual(yield* claimedIds("b", at(50), at(60)), [ids[2]!, ids[0]!])
        assert.deepStrictEqual(yield* claimedIds("c", at(59), at(99)), [])
        assert.deepStrictEqual(yield* claimedIds("c", at(60), at(99), 2), [ids[1]!, ids[2]!])
      })
    )

    it.effect("gives each delivery to one of eight workers that race for them", () =>
      Effect.gen(function* () {
        yield* idleStore
        const endpoint = yield* inserted()
        yield* Effect.forEach(Array.from({ length: 40 }), () => append(anEvent({ projectId: endpoint.projectId })))
        const takeAll = (worker: string): Effect.Effect<ReadonlyArray<string>, never, WebhookStore> =>
          Effect.flatMap(claimedIds(worker, now, at(100_000), 3), (taken) =>
            taken.length === 0
              ? Effect.succeed([])
              : Effect.map(Effect.andThen(Effect.yieldNow, takeAll(worker)), (rest) => [...taken, ...rest])
          )
        const taken = yield* Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], takeAll, { concurrency: 8 })
        const all = (yield* deliveriesOf(endpoint.id)).map(({ id }) => id)
        assert.deepStrictEqual(taken.flat().toSorted(), all.toSorted())
      })
    )

    it.effect(
      "holds the later events of a resource back until the earlier one has ended, and no other resource's",
      () =>
        Effect.gen(function* () {
          const store = yield* idleStore
          const endpoint = yield* inserted()
          const event = anEvent({ projectId: endpoint.projectId })
          const [first, second, third] = yield* Effect.forEach([event, event, event], append)
          const other = yield* append(anEvent({ projectId: endpoint.projectId }))
          const id = (each: DomainEvent) => Effect.map(deliveryOf(endpoint, each), (delivery) => delivery.id)
          const [firstId, secondId, thirdId, otherId] = yield* Effect.forEach([first!, second!, third!, other], id)
          assert.sameMembers([...(yield* claimedIds("a"))], [firstId!, otherId!])

          yield* store.record(firstId!, "a", failed(now, at(2_000)))
          assert.deepStrictEqual(yield* claimedIds("a", at(1_999)), [])
          assert.deepStrictEqual(yield* claimedIds("a", at(2_000)), [firstId!])
          yield* store.record(firstId!, "a", failed(at(2_000), null, 2))
          assert.deepStrictEqual(yield* claimedIds("a"), [secondId!])
          yield* store.record(secondId!, "a", delivered(now))
          assert.deepStrictEqual(yield* claimedIds("a"), [thirdId!])
          yield* store.record(thirdId!, "a", delivered(now))
          assert.deepStrictEqual(yield* claimedIds("a"), [])

          const ended = yield* deliveryOf(endpoint, first!)
          assert.strictEqual(ended.status, "FAILED")
          assert.strictEqual(ended.attempts, 2)
          assert.strictEqual(ended.lastError, "no answer")
          assert.deepStrictEqual(
            ended.log.map((attempt) => attempt.at),
            [now, at(2_000)]
          )
        })
    )

    it.effect("leaves none waiting for ever when events are told of while earlier ones end", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        const event = anEvent({ projectId: endpoint.projectId })
        const count = 30
        const seen: Array<number> = []
        const deliverAll = Effect.gen(function* () {
          while (seen.length < count) {
            const claimed = yield* claim("a", at(10_000), at(100_000))
            for (const { delivery } of claimed) {
              seen.push(delivery.sequence)
              yield* store.record(delivery.id, "a", delivered(now))
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
          seen,
          Array.from({ length: count }, (_, index) => index + 1)
        )
      })
    )

    it.effect("hands a delivery over when its lease is over, and takes no result of the worker that had it", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        const event = yield* append(anEvent({ projectId: endpoint.projectId }))
        const { id } = yield* deliveryOf(endpoint, event)
        assert.deepStrictEqual(yield* claimedIds("dead", now, at(2_000)), [id])
        assert.deepStrictEqual(yield* claimedIds("heir", at(1_999), at(9_000)), [])
        assert.deepStrictEqual(yield* claimedIds("heir", at(2_000), at(9_000)), [id])
        assert.isFalse(yield* store.record(id, "dead", failed(now, null)))
        yield* store.release(id, "dead")
        assert.deepStrictEqual(yield* claimedIds("other", at(3_000)), [])
        assert.isTrue(yield* store.record(id, "heir", delivered(at(3_000))))
        assert.isFalse(yield* store.record(id, "heir", delivered(at(3_000))))
        const delivery = yield* deliveryOf(endpoint, event)
        assert.strictEqual(delivery.status, "DELIVERED")
        assert.deepStrictEqual(delivery.deliveredAt, at(3_000))
        assert.strictEqual(delivery.log.length, 1)
      })
    )

    it.effect("drops every claim when asked", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        yield* append(anEvent({ projectId: endpoint.projectId }))
        const ids = yield* claimedIds("dead")
        assert.deepStrictEqual(yield* claimedIds("a"), [])
        yield* store.releaseAll
        assert.deepStrictEqual(yield* claimedIds("a"), ids)
      })
    )

    it.effect("ends what is pending, claimed or waiting, when its endpoint is disabled", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        const { id, projectId } = endpoint
        const event = anEvent({ projectId })
        const [done] = [yield* append(anEvent({ projectId }))]
        const [claimed] = yield* claimedIds("a")
        yield* store.record(claimed!, "a", delivered(now))
        yield* Effect.forEach([event, event, anEvent({ projectId })], append)
        const [busy] = yield* claimedIds("a", now, at(100_000), 1)
        yield* store.disable(projectId, id, at(7), "it answered 410 Gone")
        yield* store.disable(projectId, id, at(8), "another reason")
        assert.isFalse(yield* store.record(busy!, "a", failed(now, at(2_000))))
        const all = yield* deliveriesOf(id)
        assert.deepStrictEqual(all.map(({ eventId, status }) => [eventId === done!.id, status]).sort(), [
          [false, "DISABLED"],
          [false, "DISABLED"],
          [false, "DISABLED"],
          [true, "DELIVERED"]
        ])
        assert.deepStrictEqual(yield* claimedIds("a", at(1e9), at(2e9)), [])
        const found = yield* Effect.flatMap(store.find(projectId, id), Effect.fromOption)
        assert.deepStrictEqual([found.disabledAt, found.disabledReason], [at(7), "it answered 410 Gone"])
        yield* append(anEvent({ projectId }))
        assert.strictEqual((yield* deliveriesOf(id)).length, 4)
      })
    )

    it.effect("removes an endpoint with its deliveries, for its own project alone", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        yield* append(anEvent({ projectId: endpoint.projectId }))
        const [claimed] = yield* claimedIds("a")
        assert.isFalse(yield* store.remove(aProjectId(), endpoint.id))
        assert.isTrue(yield* store.remove(endpoint.projectId, endpoint.id))
        assert.isFalse(yield* store.remove(endpoint.projectId, endpoint.id))
        assert.deepStrictEqual(yield* deliveriesOf(endpoint.id), [])
        assert.isFalse(yield* store.record(claimed!, "a", delivered(now)))
        yield* append(anEvent({ projectId: endpoint.projectId }))
      })
    )

    it.effect("lets endpoints be removed while events are told of", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const projectId = aProjectId()
        const endpoints = yield* Effect.forEach(Array.from({ length: 6 }), () => inserted({ projectId }))
        const told = yield* Effect.all(
          [
            Effect.forEach(Array.from({ length: 12 }), () => append(anEvent({ projectId })), { concurrency: 4 }),
            Effect.forEach(endpoints, ({ id }) => store.remove(projectId, id), { concurrency: 2 })
          ],
          { concurrency: 2 }
        )
        assert.strictEqual(told[0].length, 12)
        assert.deepStrictEqual(yield* claimedIds("a"), [])
      })
    )

    it.effect("pages deliveries newest first, through equal instants too", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        yield* Effect.forEach(Array.from({ length: 7 }), () => append(anEvent({ projectId: endpoint.projectId })))
        const all = yield* deliveriesOf(endpoint.id)
        assert.deepStrictEqual(
          all.map(({ id }) => id),
          all
            .map(({ id }) => id)
            .toSorted()
            .reverse()
        )
        const page = (after: WebhookDelivery | null) =>
          store.listDeliveries({ endpointId: endpoint.id, after, take: 3 })
        const seen: Array<WebhookDelivery> = []
        for (let turn = 0; turn < 3; turn++) seen.push(...(yield* page(seen.at(-1) ?? null)))
        assert.deepStrictEqual(seen, all)
        assert.deepStrictEqual(yield* page(seen.at(-1)!), [])
        assert.deepStrictEqual(yield* store.findDelivery(endpoint.id, all[0]!.id), Option.some(all[0]!))
        assert.deepStrictEqual(yield* store.findDelivery((yield* inserted()).id, all[0]!.id), Option.none())
      })
    )

    it.effect("makes a delivery that ended due again, but lets one wait that waits for an earlier event", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoint = yield* inserted()
        const event = anEvent({ projectId: endpoint.projectId })
        const [first, second] = yield* Effect.forEach([event, event], append)
        const [one, two] = yield* Effect.forEach([first!, second!], (each) => deliveryOf(endpoint, each))
        const waiting = yield* Effect.flatMap(store.redeliver(endpoint.id, two!.id, now), Effect.fromOption)
        assert.isNull(waiting.nextAttemptAt)
        yield* claim("a")
        yield* store.record(one!.id, "a", failed(now, null, 10))
        const again = yield* Effect.flatMap(store.redeliver(endpoint.id, one!.id, at(1_500)), Effect.fromOption)
        assert.deepStrictEqual([again.status, again.attempts, again.nextAttemptAt], ["PENDING", 0, at(1_500)])
        assert.strictEqual(again.log.length, 1)
        assert.deepStrictEqual(yield* claimedIds("a", at(1_500)), [two!.id, one!.id])
        yield* store.record(one!.id, "a", delivered(at(1_500)))
        yield* store.record(two!.id, "a", delivered(at(1_500)))
        assert.deepStrictEqual(yield* store.redeliver(endpoint.id, "dlv_unknown", now), Option.none())
        assert.deepStrictEqual(yield* store.redeliver((yield* inserted()).id, one!.id, now), Option.none())
      })
    )

    it.effect("counts what is due, and tells since when the oldest is", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const idle = yield* store.backlog(now)
        assert.deepStrictEqual([idle.due, idle.oldestDueAt], [0, null])
        const endpoint = yield* inserted()
        const event = anEvent({ projectId: endpoint.projectId })
        for (const moment of [30, 10, 20]) {
          yield* TestClock.setTime(DateTime.toEpochMillis(at(moment)))
          yield* append(anEvent({ projectId: endpoint.projectId }))
        }
        // The second waits for the first, and is not due.
        yield* Effect.forEach([event, event], append)
        const before = yield* store.backlog(at(9))
        assert.deepStrictEqual([before.due, before.oldestDueAt], [0, null])
        const some = yield* store.backlog(at(20))
        assert.deepStrictEqual([some.due, some.oldestDueAt], [3, at(10)])
        const all = yield* store.backlog(now)
        assert.deepStrictEqual([all.due, all.oldestDueAt], [4, at(10)])
      })
    )

    it.effect("names endpoints that failed and are tried again, and those that are disabled, by host alone", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const well = yield* inserted()
        const failing = yield* inserted({
          url: "https://user:secret@failing.example:8443/hook/secret?key=secret",
          failingSince: at(600)
        })
        const gone = yield* inserted({ url: "https://gone.example/secret" })
        const event = anEvent({ projectId: failing.projectId })
        yield* Effect.forEach([event, event, anEvent({ projectId: failing.projectId })], append)
        for (const { projectId } of [well, gone]) yield* append(anEvent({ projectId }))
        const claimed = yield* claim("a")
        const failingAt = claimed
          .filter(({ endpoint }) => endpoint.id === failing.id)
          .map(({ delivery }) => delivery.id)
        yield* store.record(failingAt[0]!, "a", failed(now, at(9_000), 2))
        yield* store.record(failingAt[1]!, "a", {
          ...failed(now, at(5_000)),
          lastStatus: 503,
          lastError: "answered 503"
        })
        yield* store.disable(gone.projectId, gone.id, at(2_000), "it answered 410 Gone")

        const mine = [well.id, failing.id, gone.id]
        const { troubled } = yield* store.backlog(now)
        assert.deepStrictEqual(
          troubled.filter(({ endpointId }) => mine.includes(endpointId)),
          [
            {
              endpointId: failing.id,
              projectId: failing.projectId,
              host: "failing.example:8443",
              pending: 3,
              lastStatus: 503,
              lastError: "answered 503",
              nextAttemptAt: at(5_000),
              failingSince: at(600),
              disabledAt: null,
              disabledReason: null
            },
            {
              endpointId: gone.id,
              projectId: gone.projectId,
              host: "gone.example",
              pending: 0,
              lastStatus: null,
              lastError: null,
              nextAttemptAt: null,
              failingSince: null,
              disabledAt: at(2_000),
              disabledReason: "it answered 410 Gone"
            }
          ]
        )
      })
    )

    it.effect("names no more troubled endpoints than its limit, those first that were disabled last", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const endpoints = yield* Effect.forEach(Array.from({ length: TROUBLED_ENDPOINTS_MAX + 2 }), (_, index) =>
          inserted({ disabledAt: at(1e6 + index), disabledReason: "gone" })
        )
        const { troubled } = yield* store.backlog(now)
        assert.deepStrictEqual(
          troubled.map(({ endpointId }) => endpointId),
          endpoints
            .toReversed()
            .slice(0, TROUBLED_ENDPOINTS_MAX)
            .map(({ id }) => id)
        )
        yield* Effect.forEach(endpoints, ({ id, projectId }) => store.remove(projectId, id))
      })
    )
  })
}
