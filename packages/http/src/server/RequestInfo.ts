import type { Wait } from "@countersign/adapters/outbound/waits"
import type { UnpaidGasScope } from "@countersign/core/operations/unpaid-gas"
import type { RateLimitState } from "@countersign/core/tenancy/metering"
import type { Scope } from "@countersign/core/tenancy/projects"
import { Context, Fiber } from "effect"
import type { Slot } from "./FairSlots.ts"

/** Data about the request in progress. Each processing step adds its data. */
export interface RequestInfo {
  /** Id of the request in the `x-request-id` header, in error bodies and in the log. */
  readonly traceId: string
  /** The path pattern; "-" if no route matches. */
  route: string
  projectId: string | null
  /** The slot that the request holds; null if it holds none. It is released when the response is ready. */
  slot: Slot | null
  /** The scope that the key needs; null until the API key is verified, and for routes without authentication. */
  scope: Scope | null
  computeUnits: number
  /** State of the key's rate limit; null if the key has no limit. */
  rateLimit: RateLimitState | null
  /** Seconds after which the client may repeat a rejected request. */
  retryAfterSeconds: number | null
  /** The scope whose unpaid gas caused the rejection; null if unpaid gas was not the reason. */
  unpaidScope: UnpaidGasScope | null
  /** Whether the response was stored for an earlier request with the same idempotency key. */
  replayed: boolean
  deprecated: boolean
  /** Response fields that only the first response contains. A repeated response contains null instead. */
  shownOnce: ReadonlyArray<string>
  /** Times that the request spent waiting for nodes and the database. */
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

/** Returns the data of the request that the current fiber processes. */
export const requestInfo = (): RequestInfo => Fiber.getCurrent()!.getRef(RequestInfo)
