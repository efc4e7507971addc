import type { IncomingMessage } from "node:http"

/** The minimum average rate of a request body, in bytes per second, after a grace period. */
export interface BodyRate {
  readonly bytesPerSecond: number
  readonly graceSeconds: number
  /** Bytes beyond this number do not count, so that an endless body also becomes too slow. */
  readonly bytesMax: number
  /** Whether this rate replaces the timeout for receiving a request. */
  readonly isDeadline: boolean
}

/** Minimum rate of requests without a key. */
export const KEYLESS_RATE: BodyRate = {
  bytesPerSecond: 1_000,
  graceSeconds: 3,
  bytesMax: Number.POSITIVE_INFINITY,
  isDeadline: false
}

/**
 * Returns the minimum rate of an uploaded document. The grace period equals the default timeout for receiving other
 * requests.
 */
export const uploadRate = (bytesMax: number): BodyRate => ({
  bytesPerSecond: 20_000,
  graceSeconds: 20,
  bytesMax,
  isDeadline: true
})

interface Arrival {
  readonly rate: BodyRate
  readonly bytesAtStart: number
  checkedMs: number
}

const arrivals = new WeakMap<IncomingMessage, Arrival>()

/** Requires the rest of a request's body to arrive at this rate. */
export const limitBodyRate = (request: IncomingMessage, rate: BodyRate): void => {
  arrivals.set(request, { rate, bytesAtStart: request.socket.bytesRead, checkedMs: 0 })
}

/**
 * Returns whether the body is still arriving and its minimum rate replaces the timeout. A body below the rate is
 * detected by `missedRateOrNull`.
 */
export const arrivesByRate = (request: IncomingMessage): boolean =>
  !request.complete && arrivals.get(request)?.rate.isDeadline === true

/**
 * Returns the minimum rate if the body is below it; otherwise null. The caller must call it once per `intervalMs`.
 * Elapsed time is the number of calls, so that a pause of the process does not make a client appear slow.
 */
export const missedRateOrNull = (request: IncomingMessage, intervalMs: number): BodyRate | null => {
  const arrival = arrivals.get(request)
  if (arrival === undefined || request.complete) return null
  arrival.checkedMs += intervalMs
  const { bytesMax, bytesPerSecond, graceSeconds } = arrival.rate
  const bytes = Math.min(request.socket.bytesRead - arrival.bytesAtStart, bytesMax)
  return bytes < (arrival.checkedMs / 1_000 - graceSeconds) * bytesPerSecond ? arrival.rate : null
}
