import type { IncomingMessage } from "node:http"

/** What a client must send of a body: so many bytes a second on average, once the first seconds are over. */
export interface BodyRate {
  readonly bytesPerSecond: number
  readonly graceSeconds: number
  /** Bytes beyond these are not counted, so that a body without an end is late too. */
  readonly bytesMax: number
  /** Whether it stands in place of the time that other requests have to arrive and to be answered. */
  readonly isDeadline: boolean
}

/** Of requests without a key. */
export const KEYLESS_RATE: BodyRate = {
  bytesPerSecond: 1_000,
  graceSeconds: 3,
  bytesMax: Number.POSITIVE_INFINITY,
  isDeadline: false
}

/** Of documents. One that is small has as long as any other request. */
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

/** From here on the body of a request must arrive at the rate, and at no other. */
export const limitBodyRate = (request: IncomingMessage, rate: BodyRate): void => {
  arrivals.set(request, { rate, bytesAtStart: request.socket.bytesRead, checkedMs: 0 })
}

/** Whether the request still arrives, and has until its body comes too slowly. */
export const arrivesByRate = (request: IncomingMessage): boolean =>
  !request.complete && arrivals.get(request)?.rate.isDeadline === true

/**
 * The rate at which the body should have arrived and did not; null where it does. Call it once in each interval. It counts calls
 * and not the clock: while the process can't read, the client is not slow.
 */
export const missedRateOrNull = (request: IncomingMessage, intervalMs: number): BodyRate | null => {
  const arrival = arrivals.get(request)
  if (arrival === undefined || request.complete) return null
  arrival.checkedMs += intervalMs
  const { bytesMax, bytesPerSecond, graceSeconds } = arrival.rate
  const bytes = Math.min(request.socket.bytesRead - arrival.bytesAtStart, bytesMax)
  return bytes < (arrival.checkedMs / 1_000 - graceSeconds) * bytesPerSecond ? arrival.rate : null
}
