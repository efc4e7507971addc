import type { IncomingMessage } from "node:http"

/** The minimum rate of a body in bytes per second on average, after the first seconds. */
export interface BodyRate {
  readonly bytesPerSecond: number
  readonly graceSeconds: number
  /** Further bytes are not counted, so that an endless body is late too. */
  readonly bytesMax: number
  /** Whether this rate replaces the timeouts of other requests. */
  readonly isDeadline: boolean
}

/** The rate for requests without a key. */
export const KEYLESS_RATE: BodyRate = {
  bytesPerSecond: 1_000,
  graceSeconds: 3,
  bytesMax: Number.POSITIVE_INFINITY,
  isDeadline: false
}

/** The rate for documents. A small document has the same timeout as any other request. */
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

/** From now on the body of a request must arrive at this rate. */
export const limitBodyRate = (request: IncomingMessage, rate: BodyRate): void => {
  arrivals.set(request, { rate, bytesAtStart: request.socket.bytesRead, checkedMs: 0 })
}

/** Whether the request is still arriving at its minimum rate. */
export const arrivesByRate = (request: IncomingMessage): boolean =>
  !request.complete && arrivals.get(request)?.rate.isDeadline === true

/**
 * The rate at which the body is late; null if it is on time. Call it once per interval. It counts calls instead of
 * time, because a client is not slow while the process cannot read.
 */
export const missedRateOrNull = (request: IncomingMessage, intervalMs: number): BodyRate | null => {
  const arrival = arrivals.get(request)
  if (arrival === undefined || request.complete) return null
  arrival.checkedMs += intervalMs
  const { bytesMax, bytesPerSecond, graceSeconds } = arrival.rate
  const bytes = Math.min(request.socket.bytesRead - arrival.bytesAtStart, bytesMax)
  return bytes < (arrival.checkedMs / 1_000 - graceSeconds) * bytesPerSecond ? arrival.rate : null
}
