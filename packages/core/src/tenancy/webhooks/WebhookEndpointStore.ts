import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"

/** Stores webhook endpoints. */
export class WebhookEndpointStore extends Context.Service<
  WebhookEndpointStore,
  {
    readonly insert: (endpoint: WebhookEndpoint) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Oldest first. */
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    /** Replaces an endpoint. Concurrent changes run one after another. `None` if there is no such endpoint. */
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
    /** Removes the endpoint with its deliveries. Returns false if there is no such endpoint. */
    readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<boolean>
  }
>()("@countersign/core/webhooks/WebhookEndpointStore") {}
