import { Effect } from "effect"

/** Maximum number of requests for more ticks; each reads twice as many. */
const MAX_WIDENINGS = 4

/** A pool that needs more ticks, toward a word of its bitmap. */
interface Missing {
  readonly pool: { readonly id: string }
  readonly word: number
}

/**
 * Repeats the search with more ticks while relevant ones are missing. `widen` reads them; false if a pool has been
 * widened up to the limit.
 */
export const withMoreTicks = Effect.fnUntraced(function* <A, E, R>(
  search: () => { readonly result: A; readonly missing: ReadonlyArray<Missing> },
  widen: (id: string, word: number) => Effect.Effect<boolean, E, R>
) {
  const whole = new Set<string>()
  for (let round = 0; ; round++) {
    const { result, missing } = search()
    const poolsToWiden = missing.filter(({ pool }) => !whole.has(pool.id))
    if (poolsToWiden.length === 0 || round === MAX_WIDENINGS) return result
    yield* Effect.forEach(
      poolsToWiden,
      ({ pool: { id }, word }) => Effect.map(widen(id, word), (isWider) => isWider || whole.add(id)),
      { concurrency: "unbounded", discard: true }
    )
  }
})
