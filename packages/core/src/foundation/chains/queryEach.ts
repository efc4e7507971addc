import { Effect, Result } from "effect"

/**
 * Queries all items, such as chains, concurrently. Returns the combined results, and the items whose queries failed. A
 * failure does not affect the other items.
 */
export const queryEach = <Item, A, E, R>(
  items: ReadonlyArray<Item>,
  query: (item: Item) => Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Effect.map(
    Effect.forEach(items, (item) => Effect.result(query(item)), { concurrency: "unbounded" }),
    (responses) => ({
      results: responses.flatMap((response) => (Result.isSuccess(response) ? response.success : [])),
      failed: responses.flatMap((response, i) =>
        Result.isFailure(response) ? [{ place: items[i]!, error: response.failure }] : []
      )
    })
  )
