import { Clock, Context, Effect } from "effect"
import type { ConcurrencyLimits } from "./nextTurn.ts"
import { Overloaded } from "./Overloaded.ts"
import { FairQueue, type Work } from "./TurnQueue.ts"

/**
 * A quote of one swap needs about 20 ms of CPU time. With `capacity`, a single project can run more concurrent work
 * than one processor and almost any node can handle. With `waitingMax`, a few seconds of work can wait. With `shared`,
 * concurrent projects keep the processor busy while nodes respond.
 */
const LIMITS: ConcurrencyLimits = { capacity: 32, shared: 8, waitingMax: 256 }

const RETRY_AFTER_SECONDS = 1

const awaitBegin = (work: Work): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (work.state === "WAITING") work.begin = () => resume(Effect.yieldNow)
    else resume(Effect.void)
  })

/** Runs the expensive work of projects in turns, so that one project's work does not block the work of others. */
export class FairScheduler {
  readonly #queue: FairQueue

  constructor(limits: ConcurrencyLimits = LIMITS) {
    this.#queue = new FairQueue(limits)
  }

  /** Waits for a turn of the project, and runs the effect. */
  run<A, E, R>(project: string, cost: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Overloaded, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.clockWith((clock): Effect.Effect<A, E | Overloaded, R> => {
        const work = this.#queue.join(project, cost, clock.currentTimeMillisUnsafe())
        if (work === null) return Effect.fail(new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS }))
        const leaveQueue = Effect.map(Clock.currentTimeMillis, (nowMs) => this.#queue.leave(work, nowMs))
        return Effect.ensuring(restore(Effect.andThen(awaitBegin(work), effect)), leaveQueue)
      })
    )
  }
}

/** The turns of this process. They are shared by all its services, because these use the same processor. */
export const ProjectScheduler = Context.Reference<FairScheduler>("@countersign/core/turns/ProjectTurns", {
  defaultValue: () => new FairScheduler()
})
