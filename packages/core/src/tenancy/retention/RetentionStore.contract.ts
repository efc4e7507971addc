import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { HistoryStore } from "../../accounting/history/index.ts"
import { aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import type { FiatOrderStore } from "../../fiat/index.ts"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { Hash32 } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import type { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import type { UnpaidGasStore } from "../../operations/unpaid-gas/index.ts"
import { EventOutbox } from "../events/index.ts"
import type { IdempotencyStore } from "../idempotency/index.ts"
import { RateLimitSettings, type RateLimitStore } from "../metering/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "../webhooks/index.ts"
import { anEndpoint, anEvent } from "../webhooks/WebhookEndpoint.fixture.ts"
import type { WebhookStores } from "../webhooks/webhookStores.fixture.ts"
import { Retention } from "./Retention.ts"
import type { RetainedKind } from "./RetentionPolicy.ts"
import { RetentionStore } from "./RetentionStore.ts"
import {
  AgedRecord,
  countsOf,
  isKept,
  makeRecord,
  RecordKind,
  resultOf,
  WINDOW_SECONDS
} from "./retentionModel.fixture.ts"

const DAY_MS = 86_400_000
const farFuture = DateTime.makeUnsafe(8e15)
const kinds: ReadonlyArray<RetainedKind> = [
  "quotes",
  "fiatQuotes",
  "deliveries",
  "events",
  "idempotencyResponses",
  "rateWindows",
  "unpaidGas",
  "executions"
]
const zeroCounts = {
  quotes: 0,
  fiatQuotes: 0,
  deliveries: 0,
  events: 0,
  idempotencyResponses: 0,
  rateWindows: 0,
  unpaidGas: 0,
  executions: 0
}

/** Contract tests that every `RetentionStore` must pass, also together with `Retention`. */
export const retentionStoreContract = <E>(
  name: string,
  stores: Layer.Layer<
    | RetentionStore
    | QuoteStore
    | FiatOrderStore
    | ExecutionStore
    | HistoryStore
    | WebhookStores
    | IdempotencyStore
    | RateLimitStore
    | UnpaidGasStore
    | WorkClaims,
    E
  >
): void => {
  const service = Retention.layer.pipe(
    Layer.provide(Layer.succeed(RateLimitSettings, { requests: 1, windowSeconds: WINDOW_SECONDS })),
    Layer.provideMerge(stores)
  )

  layer(service)(`RetentionStore on ${name}`, (it) => {
    const now = at(1_000)

    const pruneAll = Effect.fnUntraced(function* (kind: RetainedKind, before: DateTime.Utc, limit: number) {
      const store = yield* RetentionStore
      const batches: Array<number> = []
      for (;;) {
        const removedCount = yield* store.prune(kind, before, limit)
        batches.push(removedCount)
        if (removedCount < limit) return batches
      }
    })

    /** Returns the store at a fixed time, without old rows of other tests. */
    const clearStore = Effect.gen(function* () {
      const queue = yield* WebhookDeliveryQueue
      yield* TestClock.setTime(DateTime.toEpochMillis(now))
      yield* WorkClaims.use(({ releaseAll }) => releaseAll)
      for (;;) {
        const claim = { worker: "broom", now: at(1e12), leaseUntil: at(2e12), limit: 100, except: [] }
        const claimedDeliveries = yield* queue.claim(claim)
        if (claimedDeliveries.length === 0) break
        yield* Effect.forEach(claimedDeliveries, ({ delivery }) =>
          queue.record(delivery.projectId, delivery.id, "broom", resultOf("FAILED"))
        )
      }
      yield* Effect.forEach(kinds, (kind) => pruneAll(kind, farFuture, 1_000))
      return yield* RetentionStore
    })

    const insertQuotes = (...expiries: ReadonlyArray<number>) =>
      QuoteStore.use((store) => {
        const quotes = expiries.map((expiry) => aQuote({ expiresAt: at(expiry) }))
        return Effect.as(store.insert(quotes), quotes)
      })

    const insertEndpointWith = Effect.fnUntraced(function* (events: number) {
      const endpointStore = yield* WebhookEndpointStore
      const endpoint = anEndpoint()
      yield* endpointStore.insert(endpoint)
      const event = anEvent({ projectId: endpoint.projectId })
      for (let count = 0; count < events; count++) {
        yield* TestClock.setTime((yield* Clock.currentTimeMillis) + 1)
        yield* EventOutbox.use((outbox) => outbox.append({ ...event, at: DateTime.makeUnsafe(count) }))
      }
      return { endpoint, event }
    })

    /** Ends all deliveries. */
    const endAllDeliveries = Effect.gen(function* () {
      const queue = yield* WebhookDeliveryQueue
      for (;;) {
        const claim = { worker: "w", now: at(1e9), leaseUntil: at(2e9), limit: 100, except: [] }
        const claimedDeliveries = yield* queue.claim(claim)
        if (claimedDeliveries.length === 0) return
        yield* Effect.forEach(claimedDeliveries, ({ delivery }) =>
          queue.record(delivery.projectId, delivery.id, "w", resultOf("DELIVERED"))
        )
      }
    })

    it.effect.each(RecordKind.literals)("removes data by age, or never: %s", (recordKind) =>
      Effect.gen(function* () {
        yield* clearStore
        const ages = [0, 119_000, 120_000, 121_000].concat(
          [1, 7, 30, 3_650].flatMap((days) => [-1, 0, 1].map((offsetMs) => days * DAY_MS + offsetMs))
        )
        const agedRecords = ages.map((ageMs): AgedRecord => ({ thing: recordKind, ageMs }))
        const existenceChecks = yield* Effect.forEach(agedRecords, makeRecord)
        assert.deepStrictEqual(yield* Retention.use(({ pruneDue }) => pruneDue), countsOf(agedRecords, now))
        const results = yield* Effect.forEach(existenceChecks, (check) => check)
        assert.deepStrictEqual(
          results,
          agedRecords.map((record) => isKept(record, now))
        )
      })
    )

    it.effect("removes the oldest records first, up to a limit, and returns the number", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const quoteStore = yield* QuoteStore
        const storedQuotes = yield* insertQuotes(50, 10, 40, 20, 30, 60)
        const remainingExpiries = Effect.map(
          Effect.filter(storedQuotes, ({ id, projectId }) => Effect.map(quoteStore.find(projectId, id), Option.isSome)),
          (remainingQuotes) =>
            remainingQuotes.map(({ expiresAt }) => DateTime.toEpochMillis(expiresAt) - DateTime.toEpochMillis(at(0)))
        )
        assert.strictEqual(yield* store.prune("quotes", at(60), 2), 2)
        assert.deepStrictEqual(yield* remainingExpiries, [50, 40, 30, 60])
        assert.strictEqual(yield* store.prune("quotes", at(60), 0), 0)
        assert.strictEqual(yield* store.prune("quotes", at(60), 2), 2)
        assert.deepStrictEqual(yield* remainingExpiries, [50, 60])
        assert.strictEqual(yield* store.prune("quotes", at(60), 2), 1)
        assert.deepStrictEqual(yield* remainingExpiries, [60])
        assert.strictEqual(yield* store.prune("quotes", at(60), 2), 0)
      })
    )

    it.effect("removes a quote with its operations, but not those of another project's quote with the same id", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const quoteStore = yield* QuoteStore
        const oldQuote = aQuote({ expiresAt: at(0) })
        const recentQuote = { ...oldQuote, projectId: aProjectId(), expiresAt: at(100) }
        yield* quoteStore.insert([oldQuote, recentQuote])
        const hash = Hash32.make(oldQuote.id)
        assert.strictEqual(yield* store.prune("quotes", at(50), 10), 1)
        assert.deepStrictEqual(yield* quoteStore.findByOperation(oldQuote.projectId, hash), Option.none())
        assert.deepStrictEqual(yield* quoteStore.findByOperation(recentQuote.projectId, hash), Option.some(recentQuote))
        // The deleted quote no longer blocks another quote of the same operation.
        yield* quoteStore.insert([oldQuote])
        assert.deepStrictEqual(yield* quoteStore.findByOperation(oldQuote.projectId, hash), Option.some(oldQuote))
      })
    )

    it.effect("removes every kind of record in batches", () =>
      Effect.gen(function* () {
        yield* clearStore
        const recordKinds: ReadonlyArray<RecordKind> = [
          "unsigned quote",
          "fiat quote",
          "delivered delivery",
          "idempotency answer",
          "rate window",
          "loss",
          "ended execution"
        ]
        for (const recordKind of recordKinds) {
          yield* Effect.forEach(Array.from({ length: 5 }), () =>
            makeRecord({ thing: recordKind, ageMs: 1_000 * DAY_MS })
          )
        }
        for (const kind of kinds) assert.deepStrictEqual(yield* pruneAll(kind, now, 2), [2, 2, 1], kind)
      })
    )

    it.effect("removes each row once, also with concurrent calls", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        yield* Effect.forEach(Array.from({ length: 8 }), () => insertEndpointWith(5))
        yield* endAllDeliveries
        yield* insertQuotes(...Array.from({ length: 40 }, (_, index) => index))
        for (const kind of ["quotes", "deliveries", "events"] as const) {
          const removedCounts = yield* Effect.all(
            Array.from({ length: 6 }, () => pruneAll(kind, farFuture, 3)),
            { concurrency: 6 }
          )
          // If one run has locked the last rows, another run ends early, so rows may remain until the first one deletes
          // them.
          const remainingCount = yield* pruneAll(kind, farFuture, 100)
          assert.strictEqual(
            [...removedCounts.flat(), ...remainingCount].reduce((sum, count) => sum + count, 0),
            40,
            kind
          )
          assert.strictEqual(yield* store.count(kind, farFuture), 0)
        }
      })
    )

    it.effect("keeps events that still have deliveries", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const queue = yield* WebhookDeliveryQueue
        const deliveryStore = yield* WebhookDeliveryStore
        const { endpoint } = yield* insertEndpointWith(3)
        const [claimedDelivery] = yield* queue.claim({
          worker: "w",
          now: at(1e9),
          leaseUntil: at(2e9),
          limit: 1,
          except: []
        })
        yield* queue.record(endpoint.projectId, claimedDelivery!.delivery.id, "w", resultOf("FAILED"))
        assert.strictEqual(yield* store.prune("events", farFuture, 100), 0)
        assert.strictEqual(yield* store.count("events", farFuture), 1)
        assert.strictEqual(yield* store.prune("deliveries", farFuture, 100), 1)
        assert.strictEqual(yield* store.prune("events", farFuture, 100), 1)
        const remainingDeliveries = yield* deliveryStore.list({
          projectId: endpoint.projectId,
          endpointId: endpoint.id,
          after: null,
          take: 10
        })
        assert.deepStrictEqual(
          remainingDeliveries.map(({ sequence, status }) => [sequence, status]),
          [
            [3, "PENDING"],
            [2, "PENDING"]
          ]
        )
      })
    )

    it.effect("continues the sequence numbers of a resource after its earlier events were removed", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const queue = yield* WebhookDeliveryQueue
        const { endpoint, event } = yield* insertEndpointWith(3)
        yield* endAllDeliveries
        assert.strictEqual(yield* store.prune("deliveries", farFuture, 100), 3)
        assert.strictEqual(yield* store.prune("events", farFuture, 100), 3)
        const events = yield* Effect.forEach([event, event], (each) => EventOutbox.use((outbox) => outbox.append(each)))
        assert.deepStrictEqual(
          events.map(({ sequence }) => sequence),
          [4, 5]
        )
        const dueDeliveries = yield* queue.claim({
          worker: "w",
          now: at(1e9),
          leaseUntil: at(2e9),
          limit: 9,
          except: []
        })
        assert.deepStrictEqual(
          dueDeliveries.map(({ delivery }) => [delivery.endpointId, delivery.sequence]),
          [[endpoint.id, 4]]
        )
      })
    )

    it.effect("does not change the pages of the delivery list, except the last ones", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const deliveryStore = yield* WebhookDeliveryStore
        const { endpoint } = yield* insertEndpointWith(7)
        yield* endAllDeliveries
        const listPage = (after: Parameters<typeof deliveryStore.list>[0]["after"]) =>
          deliveryStore.list({ projectId: endpoint.projectId, endpointId: endpoint.id, after, take: 3 })
        const firstPage = yield* listPage(null)
        assert.strictEqual(yield* store.prune("deliveries", farFuture, 2), 2)
        const secondPage = yield* listPage(firstPage.at(-1)!)
        assert.deepStrictEqual(
          [...firstPage, ...secondPage].map(({ sequence }) => sequence),
          [7, 6, 5, 4, 3]
        )
        assert.deepStrictEqual(yield* listPage(secondPage.at(-1)!), [])
      })
    )

    it.effect("never both removes a delivery and schedules it again", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const deliveryStore = yield* WebhookDeliveryStore
        for (let round = 0; round < 10; round++) {
          const { endpoint } = yield* insertEndpointWith(1)
          yield* endAllDeliveries
          const [endedDelivery] = yield* deliveryStore.list({
            projectId: endpoint.projectId,
            endpointId: endpoint.id,
            after: null,
            take: 1
          })
          const [removedCount, redelivered] = yield* Effect.all(
            [
              store.prune("deliveries", farFuture, 10),
              deliveryStore.redeliver(endpoint.projectId, endpoint.id, endedDelivery!.id, now)
            ],
            { concurrency: 2 }
          )
          assert.strictEqual(removedCount, Option.isSome(redelivered) ? 0 : 1)
          assert.deepStrictEqual(
            yield* deliveryStore.find(endpoint.projectId, endpoint.id, endedDelivery!.id),
            redelivered
          )
          yield* endAllDeliveries
          yield* store.prune("deliveries", farFuture, 10)
        }
      })
    )

    it.effect("does not remove history", () =>
      Effect.gen(function* () {
        yield* clearStore
        const history = yield* HistoryStore
        const transaction = aTransaction({ createdAt: at(0), metadata: { order: "1" } })
        yield* history.insert(transaction)
        yield* TestClock.setTime(DateTime.toEpochMillis(farFuture) - 1)
        yield* Retention.use(({ pruneDue }) => pruneDue)
        yield* TestClock.setTime(DateTime.toEpochMillis(now))
        assert.deepStrictEqual(yield* history.list({ ...transaction, filter: {}, after: null, take: 10 }), [
          transaction
        ])
      })
    )

    it.effect.prop(
      "removes expired records, keeps all others, and removes nothing in a second run",
      {
        things: Schema.Array(AgedRecord).check(Schema.isMaxLength(12)),
        batches: Schema.Array(Schema.Literals(kinds)).check(Schema.isMaxLength(3))
      },
      ({ batches, things: records }) =>
        Effect.gen(function* () {
          const store = yield* clearStore
          const { countDue, pruneDue } = yield* Retention
          const existenceChecks = yield* Effect.forEach(records, makeRecord)
          const expected = countsOf(records, now)
          assert.deepStrictEqual(yield* countDue, expected)
          // The counts of an earlier run that was stopped between two batches.
          const earlierCounts = { ...zeroCounts }
          const retentionDays = {
            quotes: 7,
            fiatQuotes: 7,
            deliveries: 30,
            events: 30,
            idempotencyResponses: 1,
            rateWindows: 120 / 86_400,
            unpaidGas: 30,
            executions: 90
          }
          for (const kind of batches) {
            const cutoff = DateTime.subtract(now, { milliseconds: retentionDays[kind] * DAY_MS })
            earlierCounts[kind] += yield* store.prune(kind, cutoff, 1)
          }
          const removedCounts = yield* pruneDue
          for (const kind of kinds) assert.strictEqual(earlierCounts[kind] + removedCounts[kind], expected[kind], kind)
          assert.deepStrictEqual(yield* countDue, zeroCounts)
          assert.deepStrictEqual(yield* pruneDue, zeroCounts)
          assert.deepStrictEqual(
            yield* Effect.forEach(existenceChecks, (check) => check),
            records.map((record) => isKept(record, now))
          )
        }),
      { arbitrary: { runs: 60 } }
    )
  })
}
