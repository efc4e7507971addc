import type { Wait } from "@countersign/adapters/outbound/waits"
import type { LossScope } from "@countersign/core/operations/losses"
import type { RateLimitState } from "@countersign/core/tenancy/metering"
import type { Scope } from "@countersign/core/tenancy/projects"
import { Context, Fiber } from "effect"
import type { Slot } from "./FairSlots.ts"

/** The facts of a request while it is answered. Each step adds its own. */
export interface RequestInfo {
  /** The id of the request in its answer, in error bodies and in the log. */
  readonly traceId: string
  /** The pattern of the path; "-" if no route matches. */
  route: string
  projectId: string | null
  /** The slot that the request holds; null where it holds none. It is released when the answer is ready. */
  slot: Slot | null
  /** The scope that the key needs for it; null until its handler has set it. */
  scope: Scope | null
  computeUnits: number
  /** The key's remaining requests in this window; null without a limit. */
  rateLimit: RateLimitState | null
  /** Seconds after which the client may repeat a refused request. */
  retryAfterSeconds: number | null
  /** On account of whose unpaid gas the request was refused; null where it was not. */
  unpaidScope: LossScope | null
  /** Whether the answer was given before, under the same idempotency key. */
  replayed: boolean
  deprecated: boolean
  /** Fields of the answer that are never shown again: null stands for them in a repeat of it. */
  shownOnce: ReadonlyArray<string>
  /** The waits of the answer. */
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

/** The facts of the request that the current fiber answers. */
export const requestInfo = (): RequestInfo => Fiber.getCurrent()!.getRef(RequestInfo)
