import { Clock, Context, DateTime, Effect, Layer, Option, Random } from "effect"
import { EventPresenter } from "../events/index.ts"
import { UnitOfWork } from "../primitives/index.ts"
import { type AttemptOutcome, attemptError, type Verdict, verdictOf } from "./deliveryPolicy.ts"
import { failingSinceAfter, isSustainedFailure, SUSTAINED_FAILURE_REASON } from "./sustainedFailure.ts"
import { activeSecrets, type WebhookEndpoint } from "./WebhookEndpoint.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { type ClaimedDelivery, type DeliveryResult, WebhookStore } from "./WebhookStore.ts"
import { webhookBody } from "./webhookBody.ts"

/** What one endpoint is sent by one worker in one go. */
export interface DeliveryBatch {
  readonly endpointId: string
  readonly worker: string
  /** No attempt is begun that could last longer than this. */
  readonly leaseUntilMs: number
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
}

/** How long a worker that has claimed a delivery is believed to be alive. */
const LEASE_MS = 60_000
/** Deliveries that are claimed at once. */
const CLAIM_LIMIT = 64
/** Requests that one endpoint gets from one process at the same time. */
const ENDPOINT_CONCURRENCY = 8
/** Endpoints that one process works for at the same time. */
const ENDPOINTS_MAX = 128
/** For how long an endpoint that did not answer is left alone, so that others are not kept waiting. */
const REST_MS = 5_000

/** Takes what is due to the endpoints. */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Takes due deliveries of endpoints that this process is not at work for, by endpoint. */
    readonly claimDue: (worker: string) => Effect.Effect<ReadonlyArray<DeliveryBatch>>
    /** Attempts each delivery once, or gives it back when its endpoint does not answer. Never fails. */
    readonly deliver: (batch: DeliveryBatch) => Effect.Effect<void>
    /** Both, for all that is due now. Answers how many were claimed. */
    readonly deliverDue: (worker: string) => Effect.Effect<number>
  }
>()("@countersign/core/webhooks/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const sender = yield* WebhookSender
      const presenter = yield* EventPresenter
      const unitOfWork = yield* UnitOfWork

      /** Endpoints that are not claimed for: until they are done (infinity) or have rested (epoch milliseconds). */
      const occupied = new Map<string, number>()

      const bodyOf = Effect.fnUntraced(function* ({ body, event }: ClaimedDelivery) {
        if (body !== null) return body
        return yield* store.keepBody(event.id, webhookBody(event, yield* presenter.present(event)))
      })

      const outcomeOf = Effect.fnUntraced(function* (claimed: ClaimedDelivery) {
        const body = yield* bodyOf(claimed)
        const { endpoint, event } = claimed
        const secrets = activeSecrets(endpoint.secrets, yield* DateTime.now).map(({ secret }) => secret)
        return yield* sender.post({ id: event.id, url: endpoint.url, body, secrets }).pipe(
          Effect.map((answer): AttemptOutcome => ({ _tag: "Answered", ...answer })),
          Effect.catchTag("NoWebhookAnswer", ({ reason }) =>
            Effect.succeed<AttemptOutcome>({ _tag: "Unanswered", reason })
          )
        )
      })

      /** A fault of ours counts as an attempt, so that it ends by itself as well. */
      const outcomeOrFault = (claimed: ClaimedDelivery) =>
        Effect.catchDefect(outcomeOf(claimed), (defect) =>
          Effect.as(Effect.logError("a webhook could not be sent", defect), {
            _tag: "Fault",
            reason: "the event could not be sent because of a fault of this service"
          } as const)
        )

      const resultOf = (
        { delivery }: ClaimedDelivery,
        outcome: AttemptOutcome,
        verdict: Verdict,
        startedAt: DateTime.Utc,
        now: DateTime.Utc
      ): DeliveryResult => {
        const error = attemptError(outcome)
        const status = outcome._tag === "Answered" ? outcome.status : null
        const durationMs = Math.max(0, DateTime.toEpochMillis(now) - DateTime.toEpochMillis(startedAt))
        return {
          status: ({ Delivered: "DELIVERED", Retry: "PENDING", GaveUp: "FAILED", Gone: "DISABLED" } as const)[
            verdict._tag
          ],
          attempts: delivery.attempts + 1,
          nextAttemptAt: verdict._tag === "Retry" ? DateTime.add(now, { milliseconds: verdict.delayMs }) : null,
          lastStatus: status,
          lastError: error,
          deliveredAt: verdict._tag === "Delivered" ? now : null,
          attempt: { at: startedAt, durationMs, status, error }
        }
      }

      const disable = ({ id, projectId }: WebhookEndpoint, at: DateTime.Utc, reason: string) =>
        Effect.andThen(
          store.disable(projectId, id, at, reason),
          Effect.logWarning(`webhook disabled: ${reason}`, { webhookId: id })
        )

      /**
       * Notes when the endpoint begins to fail and when it takes something again. What it was like is known from the
       * claim, so that nothing is written while it stays as it is; another worker may have noted something since, which
       * moves the beginning by the length of a lease at most.
       */
      const noteHealth = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, verdict: Verdict, at: DateTime.Utc) {
        const after = failingSinceAfter(endpoint.failingSince, verdict, at)
        if ((after === null) === (endpoint.failingSince === null)) return
        yield* store.change(endpoint.projectId, endpoint.id, (current) => ({
          ...current,
          failingSince: failingSinceAfter(current.failingSince, verdict, at)
        }))
      })

      /** Looks at the endpoint as it is by now, which nobody else changes meanwhile. */
      const disableIfFailing = ({ id, projectId }: WebhookEndpoint, verdict: Verdict, at: DateTime.Utc) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const held = yield* store.change(projectId, id, (endpoint) => endpoint)
            if (Option.isNone(held) || held.value.disabledAt !== null) return
            if (isSustainedFailure(held.value.failingSince, verdict, at)) {
              yield* disable(held.value, at, SUSTAINED_FAILURE_REASON)
            }
          })
        )

      const writeDown = Effect.fnUntraced(function* (
        claimed: ClaimedDelivery,
        worker: string,
        outcome: AttemptOutcome,
        startedAt: DateTime.Utc
      ) {
        const { delivery, endpoint } = claimed
        const now = yield* DateTime.now
        const verdict = verdictOf(delivery.attempts + 1, outcome, now, yield* Random.next)
        const isOurs = yield* store.record(delivery.id, worker, resultOf(claimed, outcome, verdict, startedAt, now))
        if (!isOurs) return
        if (verdict._tag === "Gone") return yield* disable(endpoint, startedAt, "it answered 410 Gone")
        // It was never asked.
        if (outcome._tag === "Fault") return
        yield* noteHealth(endpoint, verdict, startedAt)
        if (isSustainedFailure(endpoint.failingSince, verdict, now)) yield* disableIfFailing(endpoint, verdict, now)
      })

      /** Answers whether the endpoint was asked and did not answer. */
      const attempt = Effect.fn("WebhookDeliveries.attempt")(function* (claimed: ClaimedDelivery, worker: string) {
        const startedAt = yield* DateTime.now
        const outcome = yield* outcomeOrFault(claimed)
        yield* Effect.uninterruptible(writeDown(claimed, worker, outcome, startedAt))
        yield* Effect.logDebug("webhook attempted", {
          deliveryId: claimed.delivery.id,
          webhookId: claimed.endpoint.id,
          error: attemptError(outcome)
        })
        return outcome._tag === "Unanswered"
      })

      /** The endpoint was disabled between the event and now. */
      const endAsDisabled = ({ delivery }: ClaimedDelivery, worker: string) =>
        store.record(delivery.id, worker, { ...delivery, status: "DISABLED", nextAttemptAt: null, attempt: null })

      const deliver = (batch: DeliveryBatch) => {
        let isResting = false
        const one = Effect.fnUntraced(
          function* (claimed: ClaimedDelivery) {
            if (claimed.endpoint.disabledAt !== null) return yield* endAsDisabled(claimed, batch.worker)
            const now = yield* Clock.currentTimeMillis
            if (isResting || now + sender.deadlineMs > batch.leaseUntilMs) {
              return yield* store.release(claimed.delivery.id, batch.worker)
            }
            if (yield* attempt(claimed, batch.worker)) isResting = true
          },
          (effect, claimed) =>
            effect.pipe(
              Effect.onInterrupt(() => store.release(claimed.delivery.id, batch.worker)),
              Effect.catchCause((cause) => Effect.logError("delivering a webhook failed", cause))
            )
        )
        return Effect.forEach(batch.deliveries, one, { concurrency: ENDPOINT_CONCURRENCY, discard: true }).pipe(
          Effect.ensuring(
            Effect.map(Clock.currentTimeMillis, (now) => {
              if (isResting) occupied.set(batch.endpointId, now + REST_MS)
              else occupied.delete(batch.endpointId)
            })
          )
        )
      }

      const claimDue = Effect.fnUntraced(function* (worker: string) {
        const now = yield* Clock.currentTimeMillis
        for (const [id, until] of occupied) if (until <= now) occupied.delete(id)
        if (occupied.size >= ENDPOINTS_MAX) return []
        const leaseUntilMs = now + LEASE_MS
        const claimed = yield* store.claim({
          worker,
          now: DateTime.makeUnsafe(now),
          leaseUntil: DateTime.makeUnsafe(leaseUntilMs),
          limit: CLAIM_LIMIT,
          except: [...occupied.keys()]
        })
        const byEndpoint = Map.groupBy(claimed, ({ endpoint }) => endpoint.id)
        for (const id of byEndpoint.keys()) occupied.set(id, Number.POSITIVE_INFINITY)
        return Array.from(byEndpoint, ([endpointId, deliveries]) => ({ endpointId, worker, leaseUntilMs, deliveries }))
      })

      return WebhookDeliveries.of({
        claimDue,
        deliver,
        deliverDue: Effect.fnUntraced(function* (worker) {
          const batches = yield* claimDue(worker)
          yield* Effect.forEach(batches, deliver, { concurrency: "unbounded", discard: true })
          return batches.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
        })
      })
    })
  )
}
