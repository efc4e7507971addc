import { Clock, DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { FiatOrderStore } from "../../fiat/index.ts"
import { aFiatQuote } from "../../fiat/orders/FiatOrder.fixture.ts"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { UnpaidGasStore } from "../../operations/unpaid-gas/index.ts"
import { aGasEntry } from "../../operations/unpaid-gas/UnpaidGasEntry.fixture.ts"
import { type DomainEvent, EventOutbox } from "../events/index.ts"
import { IdempotencyStore } from "../idempotency/index.ts"
import { RateLimitStore } from "../metering/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import type { DeliveryResult } from "../webhooks/index.ts"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "../webhooks/index.ts"
import { anEndpoint, anEvent } from "../webhooks/WebhookEndpoint.fixture.ts"
import type { RetainedKind } from "./RetentionPolicy.ts"

/**
 * All kinds of stored data, with functions that create each kind through the ports, and that check whether it still
 * exists.
 */

const DAY_MS = 86_400_000

/** Kinds of data that are deleted or archived at some age, and kinds that never are. */
export const RecordKind = Schema.Literals([
  "unsigned quote",
  "accepted quote",
  "ended execution",
  "fiat quote",
  "event without delivery",
  "pending delivery",
  "delivered delivery",
  "failed delivery",
  "disabled delivery",
  "idempotency answer",
  "rate window",
  "loss"
])
export type RecordKind = typeof RecordKind.Type

/** Data with an age, which is often close to an age at which data are deleted or archived. */
export const AgedRecord = Schema.Struct({
  thing: RecordKind,
  ageMs: Schema.Union([
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 * DAY_MS })),
    Schema.Literals(
      [2, 24 * 60, 7 * 24 * 60, 30 * 24 * 60, 90 * 24 * 60].flatMap((minutes) =>
        [-1, 0, 1].map((d) => minutes * 60_000 + d)
      )
    )
  ])
})
export type AgedRecord = typeof AgedRecord.Type

/**
 * The ages at which data are deleted or archived, by the default policy and with rate limit windows of one minute.
 * Infinity if they never are.
 */
const RETENTION_MS: Record<RecordKind, number> = {
  "unsigned quote": 7 * DAY_MS,
  "accepted quote": Number.POSITIVE_INFINITY,
  "ended execution": 90 * DAY_MS,
  "fiat quote": 7 * DAY_MS,
  "event without delivery": 30 * DAY_MS,
  "pending delivery": Number.POSITIVE_INFINITY,
  "delivered delivery": 30 * DAY_MS,
  "failed delivery": 30 * DAY_MS,
  "disabled delivery": 30 * DAY_MS,
  "idempotency answer": DAY_MS,
  "rate window": 120_000,
  loss: 30 * DAY_MS
}

export const WINDOW_SECONDS = 60

/** The counters that include the data when they are deleted or archived. */
const COUNTED_AS: Record<RecordKind, ReadonlyArray<RetainedKind>> = {
  "unsigned quote": ["quotes"],
  "accepted quote": [],
  "ended execution": ["executions"],
  "fiat quote": ["fiatQuotes"],
  "event without delivery": ["events"],
  "pending delivery": [],
  "delivered delivery": ["deliveries", "events"],
  "failed delivery": ["deliveries", "events"],
  "disabled delivery": ["deliveries", "events"],
  "idempotency answer": ["idempotencyResponses"],
  "rate window": ["rateWindows"],
  loss: ["unpaidGas"]
}

/**
 * Returns the age of a record. The start of a rate limit window is stored in whole seconds, so its age is rounded up.
 */
const ageOf = ({ ageMs, thing }: AgedRecord, now: DateTime.Utc): number => {
  const madeAt = DateTime.toEpochMillis(now) - ageMs
  return thing === "rate window" ? DateTime.toEpochMillis(now) - Math.floor(madeAt / 1_000) * 1_000 : ageMs
}

const isCounted = (agedRecord: AgedRecord, now: DateTime.Utc): boolean =>
  ageOf(agedRecord, now) > RETENTION_MS[agedRecord.thing]

/** Returns whether the stores must still return the data. They also return archived executions. */
export const isKept = (agedRecord: AgedRecord, now: DateTime.Utc): boolean =>
  agedRecord.thing === "ended execution" || !isCounted(agedRecord, now)

/** Returns the expected number of deleted or archived records of each kind. */
export const countsOf = (
  records: ReadonlyArray<AgedRecord>,
  now: DateTime.Utc
): Readonly<Record<RetainedKind, number>> => {
  const counts = {
    quotes: 0,
    fiatQuotes: 0,
    deliveries: 0,
    events: 0,
    idempotencyResponses: 0,
    rateWindows: 0,
    unpaidGas: 0,
    executions: 0
  }
  for (const agedRecord of records)
    if (isCounted(agedRecord, now)) for (const kind of COUNTED_AS[agedRecord.thing]) counts[kind] += 1
  return counts
}

export const resultOf = (
  status: DeliveryResult["status"],
  nextAttemptAt: DateTime.Utc | null = null
): DeliveryResult => ({
  status,
  attempts: 1,
  nextAttemptAt,
  lastStatus: null,
  lastError: null,
  deliveredAt: null,
  attempt: null
})

const quote = (expiresAt: DateTime.Utc, end: "unsigned" | "accepted" | "ended") =>
  Effect.gen(function* () {
    const quotes = yield* QuoteStore
    const executions = yield* ExecutionStore
    const newQuote = aQuote({ expiresAt })
    const execution = anExecution({ acceptedAt: expiresAt }, newQuote)
    yield* quotes.insert([newQuote])
    if (end !== "unsigned") {
      yield* quotes.accept(newQuote.projectId, newQuote.id, expiresAt)
      yield* executions.insert(execution)
    }
    if (end === "ended") {
      const claim = { worker: "model", now: expiresAt, leaseUntil: expiresAt, limit: 1_000 }
      const claimedExecution = (yield* executions.claim(claim)).find((each) => each.execution.id === execution.id)!
      yield* executions.update(execution, claimedExecution.version, null)
    }
    return Effect.gen(function* () {
      const storedQuote = yield* quotes.find(newQuote.projectId, newQuote.id)
      const isExecuted = (yield* executions.find(newQuote.projectId, execution.id))._tag === "Some"
      return isExecuted === (end !== "unsigned") ? storedQuote._tag === "Some" : "in part"
    })
  })

const fiatQuote = (expiresAt: DateTime.Utc) =>
  FiatOrderStore.use((store) =>
    Effect.gen(function* () {
      const newQuote = aFiatQuote({ expiresAt })
      yield* store.insertQuote(newQuote)
      return Effect.map(store.findQuote(newQuote.projectId, newQuote.id), ({ _tag }) => _tag === "Some")
    })
  )

/**
 * Returns whether an event exists. An event and its stored body are deleted together, and only the delivery queue can
 * return the body.
 */
const eventExists = ({ id, projectId }: DomainEvent) =>
  WebhookDeliveryQueue.use((store) =>
    Effect.map(store.storeBody(projectId, id, "requested"), (body) => body === "kept")
  )

const eventWithoutDelivery = (at: DateTime.Utc) =>
  Effect.gen(function* () {
    const event = yield* EventOutbox.use((outbox) => outbox.append(anEvent({ at })))
    yield* WebhookDeliveryQueue.use((store) => store.storeBody(event.projectId, event.id, "kept"))
    return eventExists(event)
  })

const delivery = (at: DateTime.Utc, status: DeliveryResult["status"]) =>
  Effect.gen(function* () {
    const queue = yield* WebhookDeliveryQueue
    const endpointStore = yield* WebhookEndpointStore
    const deliveryStore = yield* WebhookDeliveryStore
    const endpoint = anEndpoint()
    yield* endpointStore.insert(endpoint)
    const event = yield* EventOutbox.use((outbox) => outbox.append(anEvent({ projectId: endpoint.projectId, at })))
    yield* queue.storeBody(event.projectId, event.id, "kept")
    const claim = { worker: "model", now: at, leaseUntil: DateTime.add(at, { days: 1_000 }), limit: 1_000, except: [] }
    const claimedDelivery = (yield* queue.claim(claim)).find((each) => each.event.id === event.id)!
    const nextAttemptAt = status === "PENDING" ? DateTime.add(at, { days: 1_000 }) : null
    yield* queue.record(endpoint.projectId, claimedDelivery.delivery.id, "model", resultOf(status, nextAttemptAt))
    return Effect.gen(function* () {
      const storedDelivery = yield* deliveryStore.find(endpoint.projectId, endpoint.id, claimedDelivery.delivery.id)
      const exists = yield* eventExists(event)
      // The delivery and its event must be deleted together.
      return storedDelivery._tag === "Some" && exists
        ? true
        : storedDelivery._tag === "None" && !exists
          ? false
          : "in part"
    })
  })

const idempotencyResponse = (at: DateTime.Utc) =>
  IdempotencyStore.use((store) =>
    Effect.gen(function* () {
      const request = { projectId: aProjectId(), key: aUuid(), fingerprint: "f" }
      const times = { now: at, lockedUntil: at, deleteBefore: DateTime.makeUnsafe(0) }
      yield* store.admit(request, times)
      yield* store.finish(request, { text: "", scope: null })
      return Effect.map(store.admit(request, times), ({ _tag }) => _tag === "Answered")
    })
  )

const rateWindow = (at: DateTime.Utc) =>
  RateLimitStore.use((store) =>
    Effect.gen(function* () {
      const [key, start] = [aUuid(), Math.floor(DateTime.toEpochMillis(at) / 1_000)]
      yield* store.count(key, start)
      return Effect.map(store.count(key, start), (count) => count === 2)
    })
  )

const gasEntry = (at: DateTime.Utc) =>
  UnpaidGasStore.use((store) =>
    Effect.gen(function* () {
      const newGasEntry = aGasEntry({ at })
      yield* store.record(newGasEntry)
      return Effect.map(store.listLatest(newGasEntry.projectId, 1), ({ length }) => length === 1)
    })
  )

const make = (thing: RecordKind, at: DateTime.Utc) => {
  switch (thing) {
    case "unsigned quote":
      return quote(at, "unsigned")
    case "accepted quote":
      return quote(at, "accepted")
    case "ended execution":
      return quote(at, "ended")
    case "fiat quote":
      return fiatQuote(at)
    case "event without delivery":
      return eventWithoutDelivery(at)
    case "pending delivery":
      return delivery(at, "PENDING")
    case "delivered delivery":
      return delivery(at, "DELIVERED")
    case "failed delivery":
      return delivery(at, "FAILED")
    case "disabled delivery":
      return delivery(at, "DISABLED")
    case "idempotency answer":
      return idempotencyResponse(at)
    case "rate window":
      return rateWindow(at)
    case "loss":
      return gasEntry(at)
  }
}

/** Creates data with this age. Returns a check, which must be run only once, of whether they still exist. */
export const makeRecord = Effect.fnUntraced(function* ({ ageMs, thing }: AgedRecord) {
  const now = yield* Clock.currentTimeMillis
  yield* TestClock.setTime(now - ageMs)
  const existenceCheck = yield* make(thing, DateTime.makeUnsafe(now - ageMs))
  yield* TestClock.setTime(now)
  return existenceCheck
})
