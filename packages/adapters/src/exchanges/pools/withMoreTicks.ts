import { Effect } from "effect"

/**
 * Maximum number of requests for more ticks. Each request about doubles the number of words, or reads up to the missing
 * word.
 */
const MAX_WIDENINGS = 4

/** A pool that needs more ticks, and the missing word of its bitmap. */
interface MissingTicks {
  readonly pool: { readonly id: string }
  readonly word: number
}

/**
 * Repeats a search with more ticks while missing ticks could change its result. `widen` reads more ticks of a pool, and
 * returns false if the pool already has the maximum number of ticks.
 */
export const withMoreTicks = Effect.fnUntraced(function* <A, E, R>(
  search: () => { readonly result: A; readonly missing: ReadonlyArray<MissingTicks> },
  widen: (id: string, word: number) => Effect.Effect<boolean, E, R>
) {
  const completePools = new Set<string>()
  for (let round = 0; ; round++) {
    const { result, missing } = search()
    const poolsToWiden = missing.filter(({ pool }) => !completePools.has(pool.id))
    if (poolsToWiden.length === 0 || round === MAX_WIDENINGS) return result
    yield* Effect.forEach(
      poolsToWiden,
      ({ pool: { id }, word }) => Effect.map(widen(id, word), (isWider) => isWider || completePools.add(id)),
      { concurrency: "unbounded", discard: true }
    )
  }
})
