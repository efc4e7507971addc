import type { ServerFleet } from "../fleet/ServerFleet.ts"
import type { Moment } from "./Client.ts"
import type { Moments } from "./Moments.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/** The longest delay between a moment and its kill: the duration of a request and the steps after it. */
const MAX_DELAY_MS = 150
/** The timeout of a moment that does not occur. */
const MOMENT_TIMEOUT_MS = 2_000

interface Killing {
  readonly points: number
  readonly processes: number
  readonly random: SeededRandom
  readonly moments: Moments
  /** The moments after which kills happen. */
  readonly at: readonly [Moment, ...ReadonlyArray<Moment>]
  /** The timeout of a moment if it is longer than two seconds, because a busy machine responds late. */
  readonly momentTimeoutMs?: number
  /** Ends the kills when a client reports a failure. */
  readonly failure: Promise<void>
  readonly onKill: (point: number) => Promise<void>
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills servers, each shortly after a moment, and waits until all servers are running again. */
export const killAtMoments = async (
  fleet: ServerFleet,
  { at, failure, momentTimeoutMs = MOMENT_TIMEOUT_MS, moments, onKill, points, processes, random }: Killing
): Promise<void> => {
  const restarts: Array<Promise<void>> = Array.from({ length: processes }, () => Promise.resolve())
  for (let point = 1; point <= points; point++) {
    const slot = random.below(processes)
    const moment = random.pick(at)
    const delayMs = random.fraction() * MAX_DELAY_MS
    await Promise.race([restarts[slot], failure])
    if (moment !== "started") await Promise.race([moments.next(moment), sleep(momentTimeoutMs), failure])
    await sleep(delayMs)
    restarts[slot] = fleet.kill(slot)
    // Awaited before the next kill of this slot, and at the end. If the run fails before, its own error is reported.
    restarts[slot].catch(() => undefined)
    await onKill(point)
  }
  await Promise.all(restarts)
}
