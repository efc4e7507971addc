import type { RateLimitState } from "@countersign/core/metering"
import type { Scope } from "@countersign/core/projects"
import { Context, Fiber } from "effect"

/** What is known of a request while it is answered; filled in on its way through. */
export interface RequestInfo {
  /** Names the request in its answer, in error bodies and in the log. */
  readonly traceId: string
  route: string
  projectId: string | null
  /** What the key must be allowed to do for it; null until its handler has said. */
  scope: Scope | null
  computeUnits: number
  /** What is left of the key's requests in this window; null where no limit is set. */
  rateLimit: RateLimitState | null
  /** Seconds after which a refused request may be tried again. */
  retryAfterSeconds: number | null
  /** Whether the answer was given before, under the same idempotency key. */
  replayed: boolean
  deprecated: boolean
}

export const newRequestInfo = (traceId: string): RequestInfo => ({
  traceId,
  route: "-",
  projectId: null,
  scope: null,
  computeUnits: 0,
  rateLimit: null,
  retryAfterSeconds: null,
  replayed: false,
  deprecated: false
})

export const RequestInfo = Context.Reference<RequestInfo>("@countersign/http/server/RequestInfo", {
  defaultValue: () => newRequestInfo("-")
})

/** The record of the request that the current fiber answers. */
export const requestInfo = (): RequestInfo => Fiber.getCurrent()!.getRef(RequestInfo)
