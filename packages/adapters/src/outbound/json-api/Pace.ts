import { Clock, Effect } from "effect"
import { HostFailure } from "./HostFailure.ts"

/** Maximum time that a quote waits for its turn, in milliseconds, because other providers can also quote. */
const MAX_WAIT_MS = 1_500

export interface PaceLimit {
  readonly requests: number
  readonly windowMs: number
}

/** Limits the number of requests in a window. Further requests wait in order, or fail if the wait would be too long. */
export const makePace = ({ requests, windowMs }: PaceLimit): Effect.Effect<void, HostFailure> => {
  /** Times at which the latest requests were sent or will be sent. */
  const sendTimes: Array<number> = []
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const earliest = sendTimes.length < requests ? now : sendTimes[0]! + windowMs
    const sendAtMs = Math.max(now, earliest)
    if (sendAtMs - now > MAX_WAIT_MS) {
      return yield* Effect.fail(new HostFailure("too many requests to it are pending", "BUSY"))
    }
    sendTimes.push(sendAtMs)
    if (sendTimes.length > requests) sendTimes.shift()
    yield* Effect.sleep(sendAtMs - now)
  })
}
