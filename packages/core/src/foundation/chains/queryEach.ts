import { Effect, Result } from "effect"

/**
 * Queries all items, such as chains, concurrently. Returns the combined results, and the items whose queries failed. A
 * failure does not affect the other items.
 */
export const queryEach = <Place, A, E, R>(
  places: ReadonlyArray<Place>,
  ask: (place: Place) => Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Effect.map(
    Effect.forEach(places, (place) => Effect.result(ask(place)), { concurrency: "unbounded" }),
    (answers) => ({
      results: answers.flatMap((answer) => (Result.isSuccess(answer) ? answer.success : [])),
      failed: answers.flatMap((answer, i) =>
        Result.isFailure(answer) ? [{ place: places[i]!, error: answer.failure }] : []
      )
    })
  )
