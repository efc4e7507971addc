import type { ServerFleet } from "../fleet/ServerFleet.ts"
import type { Moment } from "./Client.ts"
import type { Moments } from "./Moments.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/** Maximum delay between a moment and its kill, in milliseconds. It covers a request and the steps after it. */
const MAX_DELAY_MS = 150
/** Milliseconds after which a kill no longer waits for a moment. */
const MOMENT_TIMEOUT_MS = 2_000

interface KillPlan {
  readonly points: number
  readonly processes: number
  readonly random: SeededRandom
  readonly moments: Moments
  /** Moments after which kills happen. */
  readonly at: readonly [Moment, ...ReadonlyArray<Moment>]
  /** Longer timeout of a moment, for moments that occur late on a busy machine. Default: two seconds. */
  readonly momentTimeoutMs?: number
  /** Rejects when a client reports a failure. The kills then end. */
  readonly failure: Promise<void>
  readonly onKill: (point: number) => Promise<void>
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills servers, each shortly after a moment. Then waits until all servers run again. */
export const killAtMoments = async (
  fleet: ServerFleet,
  { at, failure, momentTimeoutMs = MOMENT_TIMEOUT_MS, moments, onKill, points, processes, random }: KillPlan
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
    // Awaited before the next kill of this slot and at the end. If the run fails before, its own error is reported
    // instead.
    restarts[slot].catch(() => undefined)
    await onKill(point)
  }
  await Promise.all(restarts)
}
