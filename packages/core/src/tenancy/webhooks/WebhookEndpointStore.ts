import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"

/** Stores webhook endpoints. */
export class WebhookEndpointStore extends Context.Service<
  WebhookEndpointStore,
  {
    readonly insert: (endpoint: WebhookEndpoint) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Returns the endpoints of a project, oldest first. */
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    /**
     * Returns the number of endpoints of a project. In a unit of work, other callers for the same project wait until it
     * ends, so their results include its inserts.
     */
    readonly count: (projectId: ProjectId) => Effect.Effect<number>
    /**
     * Replaces an endpoint. Concurrent changes run one after another. If the change enables the endpoint, it ends
     * deliveries that are still pending as DISABLED. `None` if the endpoint does not exist.
     */
    readonly change: (
      projectId: ProjectId,
      id: string,
      change: (endpoint: WebhookEndpoint) => WebhookEndpoint
    ) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /**
     * Disables the endpoint, and ends its pending deliveries as DISABLED. An endpoint that is already disabled keeps
     * its reason.
     */
    readonly disable: (projectId: ProjectId, id: string, at: DateTime.Utc, reason: string) => Effect.Effect<void>
    /** Deletes the endpoint and its deliveries. Returns false if it does not exist. */
    readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<boolean>
  }
>()("@countersign/core/webhooks/WebhookEndpointStore") {}
