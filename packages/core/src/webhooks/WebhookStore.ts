import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DomainEvent, EventId, NewEvent } from "../events/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { WebhookAttempt, WebhookDelivery } from "./WebhookDelivery.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"

export interface DeliveryClaim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** Until then nobody else takes what is claimed; after it, anybody may: its worker is taken for dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
  /** Endpoints whose deliveries are left where they are. */
  readonly except: ReadonlyArray<string>
}

/** All that an attempt needs. */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery
  readonly endpoint: WebhookEndpoint
  readonly event: DomainEvent
  /** What is sent, once it was first made; null before. */
  readonly body: string | null
}

/** What an attempt leaves behind. */
export interface DeliveryResult
  extends Pick<WebhookDelivery, "status" | "attempts" | "nextAttemptAt" | "lastStatus" | "lastError" | "deliveredAt"> {
  /** Null where nothing was attempted. */
  readonly attempt: WebhookAttempt | null
}

export interface DeliveryPage {
  readonly endpointId: string
  /** Deliveries after this one in the order of the list; null for the first page. */
  readonly after: WebhookDelivery | null
  readonly take: number
}

/** An endpoint that is disabled, or that some pending delivery was attempted at in vain. */
export interface TroubledEndpoint {
  readonly endpointId: string
  readonly projectId: ProjectId
  /** Host name and port: the rest of a URL may be a secret. */
  readonly host: string
  /** Deliveries that are pending, whether they failed already or wait in line. */
  readonly pending: number
  /** Of the pending delivery that failed and is attempted again next; null where none failed. */
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: DateTime.Utc | null
  /** Since when it has taken nothing that it was sent; null where that is not known. */
  readonly failingSince: DateTime.Utc | null
  readonly disabledAt: DateTime.Utc | null
  readonly disabledReason: string | null
}

/** What an operator looks at. */
export interface WebhookBacklog {
  /** Deliveries whose next attempt is due, those at which a worker is now among them. */
  readonly due: number
  /** Since when the oldest of them is due; null when none is. */
  readonly oldestDueAt: DateTime.Utc | null
  /** Retrying ones first, then disabled ones; `TROUBLED_ENDPOINTS_MAX` of each at most. */
  readonly troubled: ReadonlyArray<TroubledEndpoint>
}

/** Endpoints of each kind of trouble that a backlog names at most. */
export const TROUBLED_ENDPOINTS_MAX = 50

/**
 * Where endpoints and deliveries are kept. Of the deliveries of one resource to one endpoint only the earliest that is
 * pending is ever due; when it ends, the next one is.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    readonly insert: (endpoint: WebhookEndpoint) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Oldest first. */
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    /** Replaces an endpoint by what is made of it; several at once take turns. None where there is no such endpoint. */
    readonly change: (
      projectId: ProjectId,
      id: string,
      change: (endpoint: WebhookEndpoint) => WebhookEndpoint
    ) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Disables the endpoint and ends its pending deliveries as DISABLED. One that is disabled keeps its reason. */
    readonly disable: (projectId: ProjectId, id: string, at: DateTime.Utc, reason: string) => Effect.Effect<void>
    /** Removes the endpoint with its deliveries. False where there is no such endpoint. */
    readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<boolean>

    /** Writes an event down for one endpoint alone, whatever types it wants. None where there is no such endpoint. */
    readonly send: (endpointId: string, event: NewEvent) => Effect.Effect<Option.Option<WebhookDelivery>>
    /** Takes deliveries that are due and unclaimed (or whose lease is over), longest due first. */
    readonly claim: (claim: DeliveryClaim) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    /** Keeps what is sent for an event, the first time it is made. Answers what is kept. */
    readonly keepBody: (eventId: EventId, body: string) => Effect.Effect<string>
    /** Writes down a result and drops the claim. False, and nothing written, when another worker holds it by now. */
    readonly record: (id: string, worker: string, result: DeliveryResult) => Effect.Effect<boolean>
    /** Gives a claimed delivery back as it was. Nothing when another worker holds it by now. */
    readonly release: (id: string, worker: string) => Effect.Effect<void>
    /** Drops every claim. For a start where no other process can be alive: one process on its own database. */
    readonly releaseAll: Effect.Effect<void>

    readonly findDelivery: (endpointId: string, id: string) => Effect.Effect<Option.Option<WebhookDelivery>>
    /** Newest first: by `createdAt`, then by id, both descending. */
    readonly listDeliveries: (page: DeliveryPage) => Effect.Effect<ReadonlyArray<WebhookDelivery>>
    /**
     * Makes a delivery due now, with all its attempts before it, whatever became of it. One that waits for an earlier
     * event goes on waiting, and one at which a worker is stays with it. None where there is no such delivery.
     */
    readonly redeliver: (
      endpointId: string,
      id: string,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<WebhookDelivery>>

    /** What is on its way in all projects, and what hinders it. As quick as the work at hand is small. */
    readonly backlog: (now: DateTime.Utc) => Effect.Effect<WebhookBacklog>
  }
>()("@countersign/core/webhooks/WebhookStore") {}
