import { type Wait, type WaitedFor, waitedMs } from "@countersign/adapters/outbound/waits"
import type { RateLimitState } from "@countersign/core/tenancy/metering"
import type { RequestInfo } from "./RequestInfo.ts"

/** `chains` replaced chainInId and chainOutId on this day (RFC 9745: Unix seconds after an @). */
const DEPRECATED_SINCE = "@1767225600"

/** The IETF draft of RateLimit fields (draft-ietf-httpapi-ratelimit-headers). */
const rateLimitHeaders = (state: RateLimitState) => ({
  "ratelimit-policy": `"key";q=${state.requests};w=${state.windowSeconds}`,
  ratelimit: `"key";r=${state.remaining};t=${state.resetSeconds}`
})

const entry = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`

/** The durations of a response in milliseconds (W3C Server Timing). The remainder is the service's own work. */
const serverTiming = (waits: ReadonlyArray<Wait>, ms: number): string => {
  const on = (waitedFor: WaitedFor) => waitedMs(waits.filter((wait) => wait.on === waitedFor))
  const ownMs = Math.max(0, ms - waitedMs(waits))
  return [entry("total", ms), entry("node", on("node")), entry("database", on("database")), entry("own", ownMs)].join(
    ", "
  )
}

/** Responses with personal data, amounts of a person, or new API keys are never cached. */
const PRIVATE = /^\/api\/v\d\/(?:admin|fiat|kyc)\//u

/** The response headers that do not depend on the body. */
export const answerHeaders = (info: RequestInfo, ms: number): Record<string, string> => ({
  "x-request-id": info.traceId,
  ...(PRIVATE.test(info.route) ? { "cache-control": "no-store" } : {}),
  "server-timing": serverTiming(info.waits, ms),
  ...(info.computeUnits > 0 ? { "x-compute-units": String(info.computeUnits) } : {}),
  ...(info.rateLimit === null ? {} : rateLimitHeaders(info.rateLimit)),
  ...(info.retryAfterSeconds === null ? {} : { "retry-after": String(info.retryAfterSeconds) }),
  ...(info.replayed ? { "idempotent-replayed": "true" } : {}),
  ...(info.deprecated ? { deprecation: DEPRECATED_SINCE } : {})
})
