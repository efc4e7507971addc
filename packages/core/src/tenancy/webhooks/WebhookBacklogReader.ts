import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** An endpoint that is disabled, or whose pending deliveries failed at least once. */
export interface TroubledEndpoint {
  readonly endpointId: string
  readonly projectId: ProjectId
  /** Host name and port: the rest of a URL may be a secret. */
  readonly host: string
  /** All pending deliveries, also those that did not fail and wait in line. */
  readonly pending: number
  /** Of the failed delivery that is attempted again next; null where none failed. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: DateTime.Utc | null
  /** Since when it has accepted nothing; null where that is not known. */
  readonly failingSince: DateTime.Utc | null
  readonly disabledAt: DateTime.Utc | null
  readonly disabledReason: string | null
}

/** The deliveries of all projects that wait, and what is wrong with their endpoints. */
export interface WebhookBacklog {
  /** Deliveries to be attempted now, including those that a worker is attempting. */
  readonly due: number
  /** Since when the oldest of them is due; null when none is. */
  readonly oldestDueAt: DateTime.Utc | null
  /** First those that are retried, then the disabled ones; `TROUBLED_ENDPOINTS_MAX` of each at most. */
  readonly troubled: ReadonlyArray<TroubledEndpoint>
}

export const TROUBLED_ENDPOINTS_MAX = 50

/** The backlog of webhooks, for the operator. */
export class WebhookBacklogReader extends Context.Service<
  WebhookBacklogReader,
  {
    /** Its cost grows with the work that waits, not with what was delivered before. */
    readonly read: (now: DateTime.Utc) => Effect.Effect<WebhookBacklog>
  }
>()("@countersign/core/webhooks/WebhookBacklogReader") {}
