import type { RateLimitState } from "@countersign/core/metering"
import type { RequestInfo } from "./RequestInfo.ts"

/** `chains` replaced chainInId and chainOutId on this day (RFC 9745: unix seconds after an @). */
const DEPRECATED_SINCE = "@1767225600"

/** The draft of the IETF's RateLimit fields (draft-ietf-httpapi-ratelimit-headers). */
const rateLimitHeaders = (state: RateLimitState) => ({
  "ratelimit-policy": `"key";q=${state.requests};w=${state.windowSeconds}`,
  ratelimit: `"key";r=${state.remaining};t=${state.resetSeconds}`
})

/** The headers of an answer that do not depend on its body. */
export const answerHeaders = (info: RequestInfo): Record<string, string> => ({
  "x-request-id": info.traceId,
  ...(info.computeUnits > 0 ? { "x-compute-units": String(info.computeUnits) } : {}),
  ...(info.rateLimit === null ? {} : rateLimitHeaders(info.rateLimit)),
  ...(info.retryAfterSeconds === null ? {} : { "retry-after": String(info.retryAfterSeconds) }),
  ...(info.replayed ? { "idempotent-replayed": "true" } : {}),
  ...(info.deprecated ? { deprecation: DEPRECATED_SINCE } : {})
})
