import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** An endpoint that is disabled, or that has a pending delivery which has failed at least once. */
export interface TroubledEndpoint {
  readonly endpointId: string
  readonly projectId: ProjectId
  /** Only the host name and port, because the rest of a URL may be a secret. */
  readonly host: string
  /** Number of pending deliveries, including those that wait for an earlier one. */
  readonly pending: number
  /**
   * HTTP status of the failed delivery that is attempted next. Null if no delivery failed, or if there was no response.
   */
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: DateTime.Utc | null
  /** The time of the first failure since the last success. Null if unknown. */
  readonly failingSince: DateTime.Utc | null
  readonly disabledAt: DateTime.Utc | null
  readonly disabledReason: string | null
}

/** The pending deliveries of all projects, and the problems of their endpoints. */
export interface WebhookBacklog {
  /** Number of deliveries that are due now, including those that a worker is attempting. */
  readonly due: number
  /** The time when the oldest due delivery became due. Null if none is due. */
  readonly oldestDueAt: DateTime.Utc | null
  /** Endpoints with retries, followed by disabled ones. At most `TROUBLED_ENDPOINTS_MAX` of each. */
  readonly troubled: ReadonlyArray<TroubledEndpoint>
}

export const TROUBLED_ENDPOINTS_MAX = 50

/** Reads the webhook backlog, for the operator. */
export class WebhookBacklogReader extends Context.Service<
  WebhookBacklogReader,
  {
    /** Reads the backlog. The cost grows with the number of pending deliveries, not with the number of past ones. */
    readonly read: (now: DateTime.Utc) => Effect.Effect<WebhookBacklog>
  }
>()("@countersign/core/webhooks/WebhookBacklogReader") {}
