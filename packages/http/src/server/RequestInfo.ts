import type { Wait } from "@countersign/adapters/outbound/waits"
import type { LossScope } from "@countersign/core/operations/losses"
import type { RateLimitState } from "@countersign/core/tenancy/metering"
import type { Scope } from "@countersign/core/tenancy/projects"
import { Context, Fiber } from "effect"
import type { Slot } from "./FairSlots.ts"

/** Data about a request while it is processed. Each step adds its data. */
export interface RequestInfo {
  /** The id of the request in its response, in error bodies and in the log. */
  readonly traceId: string
  /** The path pattern; "-" if no route matches. */
  route: string
  projectId: string | null
  /** The slot of the request; null if it has none. It is released when the response is ready. */
  slot: Slot | null
  /** The scope that the key needs; null until the handler has set it. */
  scope: Scope | null
  computeUnits: number
  /** The key's remaining requests in this window; null if there is no limit. */
  rateLimit: RateLimitState | null
  /** Seconds after which the client may repeat a rejected request. */
  retryAfterSeconds: number | null
  /** The scope whose unpaid gas was the reason for the rejection; null if there was none. */
  unpaidScope: LossScope | null
  /** Whether the response is a repeat for the same idempotency key. */
  replayed: boolean
  deprecated: boolean
  /** Response fields that are shown only once. A repeated response has null in these fields. */
  shownOnce: ReadonlyArray<string>
  /** The waits during the request. */
  readonly waits: Array<Wait>
}

export const newRequestInfo = (traceId: string): RequestInfo => ({
  traceId,
  route: "-",
  projectId: null,
  slot: null,
  scope: null,
  computeUnits: 0,
  rateLimit: null,
  retryAfterSeconds: null,
  unpaidScope: null,
  replayed: false,
  deprecated: false,
  shownOnce: [],
  waits: []
})

export const RequestInfo = Context.Reference<RequestInfo>("@countersign/http/server/RequestInfo", {
  defaultValue: () => newRequestInfo("-")
})

/** The data of the request that the current fiber processes. */
export const requestInfo = (): RequestInfo => Fiber.getCurrent()!.getRef(RequestInfo)
