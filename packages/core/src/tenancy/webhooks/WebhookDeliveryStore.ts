import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../events/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"

export interface DeliveryPage {
  readonly projectId: ProjectId
  readonly endpointId: string
  /** The last delivery of the previous page. Null for the first page. */
  readonly after: WebhookDelivery | null
  readonly take: number
}

/** Stores the deliveries of endpoints, for requests of the project. */
export class WebhookDeliveryStore extends Context.Service<
  WebhookDeliveryStore,
  {
    readonly find: (
      projectId: ProjectId,
      endpointId: string,
      id: string
    ) => Effect.Effect<Option.Option<WebhookDelivery>>
    /** Returns deliveries, newest first: sorted by `createdAt`, then by id, both descending. */
    readonly list: (page: DeliveryPage) => Effect.Effect<ReadonlyArray<WebhookDelivery>>
    /**
     * Stores an event that is delivered to only one endpoint, regardless of its event types. `None` if the endpoint
     * does not exist.
     */
    readonly send: (endpointId: string, event: NewEvent) => Effect.Effect<Option.Option<WebhookDelivery>>
    /**
     * Makes a delivery due now, regardless of its status, and resets its attempts. A delivery that waits for an earlier
     * event keeps waiting. A claimed delivery stays with its worker. `None` if the delivery does not exist.
     */
    readonly redeliver: (
      projectId: ProjectId,
      endpointId: string,
      id: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<WebhookDelivery>>
  }
>()("@countersign/core/webhooks/WebhookDeliveryStore") {}
