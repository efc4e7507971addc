import { Context, type Effect } from "effect"
import type { WorkClaim } from "../../../foundation/work/index.ts"
import type { DomainEvent, EventId } from "../../events/index.ts"
import type { ProjectId } from "../../projects/index.ts"
import type { WebhookAttempt, WebhookDelivery } from "../WebhookDelivery.ts"
import type { WebhookEndpoint } from "../WebhookEndpoint.ts"

export interface DeliveryClaim extends WorkClaim {
  /** Endpoints whose deliveries are not claimed. */
  readonly except: ReadonlyArray<string>
}

/** The data that an attempt needs. */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery
  readonly endpoint: WebhookEndpoint
  readonly event: DomainEvent
  /** The text to send, once the first attempt has serialized it; null before. */
  readonly body: string | null
}

/** The fields of a delivery that an attempt changes. */
export interface DeliveryResult
  extends Pick<WebhookDelivery, "status" | "attempts" | "nextAttemptAt" | "lastStatus" | "lastError" | "deliveredAt"> {
  /** Null if nothing was attempted. */
  readonly attempt: WebhookAttempt | null
}

/**
 * The pending deliveries, shared by workers. Of the deliveries of one resource to one endpoint only the earliest
 * pending one is ever due; when it ends, the next one becomes due.
 */
export class WebhookDeliveryQueue extends Context.Service<
  WebhookDeliveryQueue,
  {
    /** Claims deliveries that are due and unclaimed, those with the longest wait first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    /** Stores the text to send for an event unless one is stored. Returns the stored one. */
    readonly keepBody: (projectId: ProjectId, eventId: EventId, body: string) => Effect.Effect<string>
    /** Stores a result and ends the claim. Returns false and stores nothing if another worker has claimed it since. */
    readonly record: (
      projectId: ProjectId,
      id: string,
      worker: string,
      result: DeliveryResult
    ) => Effect.Effect<boolean>
    /** Ends the claim and changes nothing else. No effect if another worker has claimed it since. */
    readonly release: (projectId: ProjectId, id: string, worker: string) => Effect.Effect<void>
  }
>()("@countersign/core/webhooks/WebhookDeliveryQueue") {}
