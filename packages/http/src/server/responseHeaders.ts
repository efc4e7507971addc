import { totalWaitMs, type Wait, type WaitTarget } from "@countersign/adapters/outbound/waits"
import type { RateLimitState } from "@countersign/core/tenancy/metering"
import type { RequestInfo } from "./RequestInfo.ts"

/** The date on which `chains` replaced `chainInId` and `chainOutId` (RFC 9745: Unix seconds after an @). */
const DEPRECATED_SINCE = "@1767225600"

/** Builds the RateLimit headers of the IETF draft draft-ietf-httpapi-ratelimit-headers. */
const rateLimitHeaders = (state: RateLimitState) => ({
  "ratelimit-policy": `"key";q=${state.requests};w=${state.windowSeconds}`,
  ratelimit: `"key";r=${state.remaining};t=${state.resetSeconds}`
})

const entry = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`

/**
 * Builds the `Server-Timing` header (W3C), in milliseconds. `own` is the total minus the time spent waiting for nodes
 * and the database.
 */
const serverTiming = (waits: ReadonlyArray<Wait>, ms: number): string => {
  const waitedMsFor = (waitedFor: WaitTarget) => totalWaitMs(waits.filter((wait) => wait.on === waitedFor))
  const ownMs = Math.max(0, ms - totalWaitMs(waits))
  return [
    entry("total", ms),
    entry("node", waitedMsFor("node")),
    entry("database", waitedMsFor("database")),
    entry("own", ownMs)
  ].join(", ")
}

/**
 * Routes whose responses must never be cached, because they contain personal data, amounts of a person or new API keys.
 */
const PRIVATE = /^\/api\/v\d\/(?:(?:admin|fiat|kyc)\/|webhooks)/u

/** Builds the response headers that do not depend on the body. */
export const responseHeaders = (info: RequestInfo, ms: number): Record<string, string> => ({
  "x-request-id": info.traceId,
  ...(PRIVATE.test(info.route) ? { "cache-control": "no-store" } : {}),
  "server-timing": serverTiming(info.waits, ms),
  ...(info.computeUnits > 0 ? { "x-compute-units": String(info.computeUnits) } : {}),
  ...(info.rateLimit === null ? {} : rateLimitHeaders(info.rateLimit)),
  ...(info.retryAfterSeconds === null ? {} : { "retry-after": String(info.retryAfterSeconds) }),
  ...(info.replayed ? { "idempotent-replayed": "true" } : {}),
  ...(info.deprecated ? { deprecation: DEPRECATED_SINCE } : {})
})
