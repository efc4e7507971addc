export { CircuitBreaker, type CircuitOptions, type CircuitTime, withJitter } from "./CircuitBreaker.ts"
export {
  exactJsonOrNull,
  jsonNumber,
  NumberText,
  parseExactJson,
  parseVerbatimJson,
  SecondsText,
  scaledE18RoundingDown,
  Uint256Text
} from "./exactJson.ts"
export {
  HostFailure,
  hostFailureFromExcess,
  hostFailureFromStatus,
  hostFailureFromThrown,
  ResponseTooLarge
} from "./HostFailure.ts"
export {
  decodeJson,
  exactJsonIn,
  type HttpHost,
  type HttpRequest,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "./httpHost.ts"
export type { PaceLimit } from "./Pace.ts"
export { retryAfterMs } from "./retryAfterMs.ts"
export { targetOf } from "./targetOf.ts"
export { textOf } from "./textOf.ts"
