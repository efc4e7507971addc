import type { IncomingMessage } from "node:http"

/** The bytes of its body that a client without a key must send in a second, on average after the first seconds. */
export const BODY_BYTES_PER_SECOND_MIN = 1_000
const GRACE_SECONDS = 3

interface Arrival {
  readonly bytesAtStart: number
  checkedMs: number
}

const arrivals = new WeakMap<IncomingMessage, Arrival>()

/** From here on the body of a request must arrive at the minimum rate. */
export const limitBodyRate = (request: IncomingMessage): void => {
  arrivals.set(request, { bytesAtStart: request.socket.bytesRead, checkedMs: 0 })
}

export const endBodyRateLimit = (request: IncomingMessage): void => {
  arrivals.delete(request)
}

/**
 * Call it once in each interval. It counts calls and not the clock: while the process can't read, the client is not
 * slow.
 */
export const arrivesTooSlowly = (request: IncomingMessage, intervalMs: number): boolean => {
  const arrival = arrivals.get(request)
  if (arrival === undefined || request.complete) return false
  arrival.checkedMs += intervalMs
  const bytes = request.socket.bytesRead - arrival.bytesAtStart
  return bytes < (arrival.checkedMs / 1_000 - GRACE_SECONDS) * BODY_BYTES_PER_SECOND_MIN
}
