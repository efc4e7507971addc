import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { attemptDelivery } from "./attemptDelivery.ts"
import { type ClaimedDelivery, WebhookDeliveryQueue } from "./WebhookDeliveryQueue.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Tracks endpoints for which this process claims nothing, because it is sending to them or they did not respond. */
const createBusyTracker = () => {
  /** End of the pause in epoch milliseconds. Infinity while deliveries are being sent. */
  const pausedUntilMs = new Map<string, number>()
  return {
    ids: (nowMs: number): ReadonlyArray<string> => {
      for (const [id, endMs] of pausedUntilMs) if (endMs <= nowMs) pausedUntilMs.delete(id)
      return [...pausedUntilMs.keys()]
    },
    begin: (id: string): void => {
      pausedUntilMs.set(id, Number.POSITIVE_INFINITY)
    },
    end: (id: string): void => {
      pausedUntilMs.delete(id)
    },
    rest: (id: string, untilMs: number): void => {
      pausedUntilMs.set(id, untilMs)
    }
  }
}

/** Claimed deliveries of one endpoint. */
export interface DeliveryBatch {
  readonly endpointId: string
  readonly worker: string
  /** End of the claims. An attempt that could last longer does not begin. */
  readonly leaseUntilMs: number
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
}

/** Duration of a claim. After it, the worker is treated as dead. */
const LEASE_MS = 60_000
const CLAIM_LIMIT = 64
/** Maximum number of concurrent requests of one process to one endpoint. */
const ENDPOINT_CONCURRENCY = 8
/** Maximum number of endpoints to which one process sends concurrently. */
const MAX_CONCURRENT_ENDPOINTS = 128
/** Pause in milliseconds after an endpoint did not respond, so that it does not delay other endpoints. */
const ENDPOINT_PAUSE_MS = 5_000

/** Sends due deliveries to their endpoints. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /**
     * Claims due deliveries, grouped by endpoint. Excludes endpoints to which this process is already sending, or that
     * recently did not respond to it.
     */
    readonly claimDue: (worker: string) => Effect.Effect<ReadonlyArray<DeliveryBatch>>
    /**
     * Attempts the deliveries once. Releases a delivery if the claim is too short for an attempt, or if the endpoint
     * stops responding. Never fails.
     */
    readonly deliver: (batch: DeliveryBatch) => Effect.Effect<void>
  }
>()("@countersign/core/webhooks/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const queue = yield* WebhookDeliveryQueue
      const sender = yield* WebhookSender
      const attempt = yield* attemptDelivery
      const busyTracker = createBusyTracker()

      /** Ends a delivery whose endpoint was disabled after the event was stored. */
      const endAsDisabled = ({ delivery }: ClaimedDelivery, worker: string) =>
        queue.record(delivery.projectId, delivery.id, worker, {
          ...delivery,
          status: "DISABLED",
          nextAttemptAt: null,
          attempt: null
        })

      const deliver = ({ deliveries, endpointId, leaseUntilMs, worker }: DeliveryBatch) => {
        let isUnresponsive = false
        const deliverOne = Effect.fnUntraced(
          function* (claim: ClaimedDelivery) {
            if (claim.endpoint.disabledAt !== null) return yield* endAsDisabled(claim, worker)
            const now = yield* Clock.currentTimeMillis
            if (isUnresponsive || now + sender.deadlineMs > leaseUntilMs) {
              return yield* queue.release(claim.delivery.projectId, claim.delivery.id, worker)
            }
            const outcome = yield* attempt(claim, worker)
            if (outcome._tag === "Unanswered") isUnresponsive = true
          },
          (effect, claim) =>
            effect.pipe(
              Effect.onInterrupt(() => queue.release(claim.delivery.projectId, claim.delivery.id, worker)),
              Effect.catchCause((cause) => Effect.logError("delivering a webhook failed", cause))
            )
        )
        const releaseEndpoint = Effect.map(Clock.currentTimeMillis, (now) =>
          isUnresponsive ? busyTracker.rest(endpointId, now + ENDPOINT_PAUSE_MS) : busyTracker.end(endpointId)
        )
        return Effect.forEach(deliveries, deliverOne, { concurrency: ENDPOINT_CONCURRENCY, discard: true }).pipe(
          Effect.ensuring(releaseEndpoint)
        )
      }

      const claimDue = Effect.fnUntraced(function* (worker: string) {
        const now = yield* Clock.currentTimeMillis
        const except = busyTracker.ids(now)
        if (except.length >= MAX_CONCURRENT_ENDPOINTS) return []
        const leaseUntilMs = now + LEASE_MS
        const claims = yield* queue.claim({
          worker,
          now: DateTime.makeUnsafe(now),
          leaseUntil: DateTime.makeUnsafe(leaseUntilMs),
          limit: CLAIM_LIMIT,
          except
        })
        const deliveriesByEndpoint = Map.groupBy(claims, ({ endpoint }) => endpoint.id)
        for (const id of deliveriesByEndpoint.keys()) busyTracker.begin(id)
        return Array.from(deliveriesByEndpoint, ([endpointId, deliveries]) => ({
          endpointId,
          worker,
          leaseUntilMs,
          deliveries
        }))
      })

      return WebhookDeliveries.of({ claimDue, deliver })
    })
  )
}
