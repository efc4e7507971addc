import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../events/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"

export interface DeliveryPage {
  readonly projectId: ProjectId
  readonly endpointId: string
  /** The last delivery of the previous page; null for the first page. */
  readonly after: WebhookDelivery | null
  readonly take: number
}

/** The deliveries of an endpoint, as the project manages them. */
export class WebhookDeliveryStore extends Context.Service<
  WebhookDeliveryStore,
  {
    readonly find: (
      projectId: ProjectId,
      endpointId: string,
      id: string
    ) => Effect.Effect<Option.Option<WebhookDelivery>>
    /** Newest first: by `createdAt`, then by id, both descending. */
    readonly list: (page: DeliveryPage) => Effect.Effect<ReadonlyArray<WebhookDelivery>>
    /** Stores an event for one endpoint only and ignores its event types. None if there is no such endpoint. */
    readonly send: (endpointId: string, event: NewEvent) => Effect.Effect<Option.Option<WebhookDelivery>>
    /**
     * Makes a delivery with any status due now and resets its attempts. A delivery that waits for an earlier event
     * keeps waiting, and one that a worker has claimed stays with that worker. None if there is no such delivery.
     */
    readonly redeliver: (
      projectId: ProjectId,
      endpointId: string,
      id: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<WebhookDelivery>>
  }
>()("@countersign/core/webhooks/WebhookDeliveryStore") {}
