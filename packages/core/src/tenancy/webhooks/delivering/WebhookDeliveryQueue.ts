import { Context, type Effect } from "effect"
import type { WorkClaim } from "../../../foundation/work/index.ts"
import type { DomainEvent, EventId } from "../../events/index.ts"
import type { ProjectId } from "../../projects/index.ts"
import type { WebhookAttempt, WebhookDelivery } from "../WebhookDelivery.ts"
import type { WebhookEndpoint } from "../WebhookEndpoint.ts"

export interface DeliveryClaim extends WorkClaim {
  /** Endpoints whose deliveries must not be claimed. */
  readonly except: ReadonlyArray<string>
}

/** The data that an attempt needs. */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery
  readonly endpoint: WebhookEndpoint
  readonly event: DomainEvent
  /** The text to send, as the first attempt serialized it. Null before the first attempt. */
  readonly body: string | null
}

/** The fields of a delivery that an attempt changes. */
export interface DeliveryResult
  extends Pick<WebhookDelivery, "status" | "attempts" | "nextAttemptAt" | "lastStatus" | "lastError" | "deliveredAt"> {
  /** Null if the delivery was not attempted. */
  readonly attempt: WebhookAttempt | null
}

/**
 * The queue of pending deliveries, which all workers share. A delivery of one resource to one endpoint becomes due when
 * the previous one ends, unless a redelivery is requested.
 */
export class WebhookDeliveryQueue extends Context.Service<
  WebhookDeliveryQueue,
  {
    /** Claims due, unclaimed deliveries, the longest overdue first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    /** Stores the text to send for an event, unless a text is already stored. Returns the stored text. */
    readonly storeBody: (projectId: ProjectId, eventId: EventId, body: string) => Effect.Effect<string>
    /** Stores a result and ends the claim. Returns false and stores nothing if another worker has the claim. */
    readonly record: (
      projectId: ProjectId,
      id: string,
      worker: string,
      result: DeliveryResult
    ) => Effect.Effect<boolean>
    /** Ends the claim without any other change. Does nothing if another worker has the claim. */
    readonly release: (projectId: ProjectId, id: string, worker: string) => Effect.Effect<void>
  }
>()("@countersign/core/webhooks/WebhookDeliveryQueue") {}
