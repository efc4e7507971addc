import { Executions, Following } from "@countersign/core/operations/executions"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** The delay of a worker if nothing is due and this process accepts no quote. */
const IDLE_MS = 200
/** Delay between two rounds while executions are pending. */
const BUSY_MS = 25

/**
 * Concurrent rounds: one that waits for a slow chain leaves the others to other chains. One more is for recent
 * acceptances.
 */
const LANES = 3

/** Runs accepted quotes to their end while the layer exists. Any number of processes may run one. */
export const layer = (worker: string): Layer.Layer<never, never, Executions | Following> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const following = yield* Following
      const executions = yield* Executions
      const lane = (which: "ALL" | "NEW") => {
        const round = Effect.flatMap(following.followDue(worker, which), (followedCount) =>
          executions.awaitWork(followedCount > 0 ? BUSY_MS : IDLE_MS)
        )
        return forkRounds(round, "following executions failed", executions.awaitWork(1_000))
      }
      yield* lane("NEW")
      for (let laneIndex = 0; laneIndex < LANES; laneIndex++) yield* lane("ALL")
    })
  )
