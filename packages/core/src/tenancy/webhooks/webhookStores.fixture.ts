import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { type DomainEvent, EventOutbox, type NewEvent } from "../events/index.ts"
import { type DeliveryResult, WebhookDeliveryQueue } from "./delivering/WebhookDeliveryQueue.ts"
import type { WebhookBacklogReader } from "./WebhookBacklogReader.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import { anEndpoint } from "./WebhookEndpoint.fixture.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"
import { WebhookEndpointStore } from "./WebhookEndpointStore.ts"

/** The stores that the contract suites of webhooks need. */
export type WebhookStores =
  | EventOutbox
  | WebhookEndpointStore
  | WebhookDeliveryStore
  | WebhookDeliveryQueue
  | WebhookBacklogReader

/** Reveals the secrets, because `Redacted` values compare as equal regardless of their content. */
export const revealSecrets = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  secrets: endpoint.secrets.map((each) => ({ ...each, secret: Redacted.value(each.secret) }))
})

export const deliveredResult = (now: DateTime.Utc): DeliveryResult => ({
  status: "DELIVERED",
  attempts: 1,
  nextAttemptAt: null,
  lastStatus: 200,
  lastError: null,
  deliveredAt: now,
  attempt: { at: now, durationMs: 5, status: 200, error: null }
})

export const failedResult = (now: DateTime.Utc, next: DateTime.Utc | null, attempts = 1): DeliveryResult => ({
  status: next === null ? "FAILED" : "PENDING",
  attempts,
  nextAttemptAt: next,
  lastStatus: null,
  lastError: "no response",
  deliveredAt: null,
  attempt: { at: now, durationMs: 7, status: null, error: "no response" }
})

export const now = at(1_000)

/** Ends everything that other tests left in the queue, and sets the clock to `now`. */
export const emptyQueue = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  yield* TestClock.setTime(DateTime.toEpochMillis(now))
  const worker = "cleaner"
  for (;;) {
    const remainingClaims = yield* queue.claim({ worker, now: at(1e12), leaseUntil: at(2e12), limit: 100, except: [] })
    if (remainingClaims.length === 0) return
    yield* Effect.forEach(remainingClaims, ({ delivery }) =>
      queue.record(delivery.projectId, delivery.id, worker, failedResult(now, null))
    )
  }
})

export const insertEndpoint = (fields: Partial<WebhookEndpoint> = {}) =>
  WebhookEndpointStore.use((store) => {
    const endpoint = anEndpoint(fields)
    return Effect.as(store.insert(endpoint), endpoint)
  })

export const append = (event: NewEvent) => EventOutbox.use((outbox) => outbox.append(event))

export const deliveriesOf = ({ id: endpointId, projectId }: Pick<WebhookEndpoint, "id" | "projectId">) =>
  WebhookDeliveryStore.use((store) => store.list({ projectId, endpointId, after: null, take: 1_000 }))

export const claim = (
  worker: string,
  claimedAt = now,
  leaseUntil = at(100_000),
  limit = 100,
  except: ReadonlyArray<string> = []
) => WebhookDeliveryQueue.use((queue) => queue.claim({ worker, now: claimedAt, leaseUntil, limit, except }))

export const claimedIds = (...args: Parameters<typeof claim>) =>
  Effect.map(claim(...args), (claims) => claims.map(({ delivery }) => delivery.id))

export const deliveryOf = (endpoint: WebhookEndpoint, event: DomainEvent) =>
  Effect.map(deliveriesOf(endpoint), (all): WebhookDelivery => all.find(({ eventId }) => eventId === event.id)!)
