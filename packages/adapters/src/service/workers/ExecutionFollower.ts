import { Executions, Following } from "@countersign/core/operations/executions"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** How long a follower waits for work when nothing is due and this process accepts no quote. */
const IDLE_MS = 200
/** Waits between two rounds while something is under way. */
const BUSY_MS = 25

/**
 * Rounds at once: one that waits for a chain that does not answer leaves the others to the other chains. One more is for
 * what was accepted lately.
 */
const LANES = 3

/** Follows accepted quotes to their end, for as long as the layer lives. Any number of processes may run one. */
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
