import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** An endpoint that is disabled, or with a pending delivery that has failed at least once. */
export interface TroubledEndpoint {
  readonly endpointId: string
  readonly projectId: ProjectId
  /** Only host name and port, because the rest of a URL may be a secret. */
  readonly host: string
  /** The number of pending deliveries, including those that wait for an earlier one. */
  readonly pending: number
  /** The status of the failed delivery that is attempted next; null if no delivery failed, or without a response. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: DateTime.Utc | null
  /** Start of the current failure; null if unknown. */
  readonly failingSince: DateTime.Utc | null
  readonly disabledAt: DateTime.Utc | null
  readonly disabledReason: string | null
}

/** The pending deliveries of all projects, and the problems of their endpoints. */
export interface WebhookBacklog {
  /** The number of deliveries that are due now, including those that a worker is attempting. */
  readonly due: number
  /** When the oldest due delivery became due; null if none is due. */
  readonly oldestDueAt: DateTime.Utc | null
  /** Endpoints with retries, followed by disabled ones; at most `TROUBLED_ENDPOINTS_MAX` of each. */
  readonly troubled: ReadonlyArray<TroubledEndpoint>
}

export const TROUBLED_ENDPOINTS_MAX = 50

/** The backlog of webhooks, for the operator. */
export class WebhookBacklogReader extends Context.Service<
  WebhookBacklogReader,
  {
    /** The cost of this call grows with the pending deliveries, not with the past ones. */
    readonly read: (now: DateTime.Utc) => Effect.Effect<WebhookBacklog>
  }
>()("@countersign/core/webhooks/WebhookBacklogReader") {}
