import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** An endpoint that is disabled, or whose pending deliveries failed at least once. */
export interface TroubledEndpoint {
  readonly endpointId: string
  readonly projectId: ProjectId
  /** Host name and port only, because the rest of a URL may be a secret. */
  readonly host: string
  /** All pending deliveries, including those that wait behind an earlier one. */
  readonly pending: number
  /** The status of the failed delivery that is attempted next; null if none failed. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: DateTime.Utc | null
  /** When it started to accept nothing; null if that is not known. */
  readonly failingSince: DateTime.Utc | null
  readonly disabledAt: DateTime.Utc | null
  readonly disabledReason: string | null
}

/** The pending deliveries of all projects, and the problems of their endpoints. */
export interface WebhookBacklog {
  /** Deliveries that are due now, including those that a worker is attempting. */
  readonly due: number
  /** When the oldest of them became due; null if none is due. */
  readonly oldestDueAt: DateTime.Utc | null
  /** First endpoints with retries, then disabled ones, at most `TROUBLED_ENDPOINTS_MAX` of each. */
  readonly troubled: ReadonlyArray<TroubledEndpoint>
}

export const TROUBLED_ENDPOINTS_MAX = 50

/** The backlog of webhooks, for the operator. */
export class WebhookBacklogReader extends Context.Service<
  WebhookBacklogReader,
  {
    /** Its cost grows with the pending deliveries, not with past ones. */
    readonly read: (now: DateTime.Utc) => Effect.Effect<WebhookBacklog>
  }
>()("@countersign/core/webhooks/WebhookBacklogReader") {}
