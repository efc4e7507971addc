import { UserOperations } from "@countersign/core/user-operations"
import { Effect, Layer } from "effect"

/** How long a follower waits for work when nothing is due and nobody in this process submits anything. */
const IDLE_MS = 200
/** Waits between two rounds while operations are on their way to a block. */
const BUSY_MS = 25

/** Rounds at once: one that waits for a chain that does not answer leaves the others to the other chains. */
const LANES = 3

/** Follows submitted operations to their end, for as long as the layer lives. Any number of processes may run one. */
export const layer = (worker: string): Layer.Layer<never, never, UserOperations> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const operations = yield* UserOperations
      const round = Effect.flatMap(operations.followDue(worker), (followed) =>
        operations.awaitWork(followed > 0 ? BUSY_MS : IDLE_MS)
      )
      const survivingRound = Effect.catchCause(round, (cause) =>
        Effect.andThen(Effect.logError("following operations failed", cause), operations.awaitWork(1_000))
      )
      const lane = Effect.forkScoped(Effect.forever(survivingRound))
      for (let started = 0; started < LANES; started++) yield* lane
    })
  )
