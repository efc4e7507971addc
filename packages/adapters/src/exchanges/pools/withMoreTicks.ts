import { Effect } from "effect"

/** How often a search may ask for more ticks; each time reads twice as many. */
const MAX_WIDENINGS = 4

/** A pool that a search needs more ticks of, toward a word of its bitmap. */
interface Missing {
  readonly pool: { readonly id: string }
  readonly word: number
}

/**
 * Searches again with more ticks for as long as pools lack some that matter. `widen` reads them; false where a pool has been
 * widened as far as it may.
 */
export const withMoreTicks = Effect.fnUntraced(function* <A, E, R>(
  search: () => { readonly found: A; readonly missing: ReadonlyArray<Missing> },
  widen: (id: string, word: number) => Effect.Effect<boolean, E, R>
) {
  const whole = new Set<string>()
  for (let round = 0; ; round++) {
    const { found, missing } = search()
    const wanted = missing.filter(({ pool }) => !whole.has(pool.id))
    if (wanted.length === 0 || round === MAX_WIDENINGS) return found
    yield* Effect.forEach(
      wanted,
      ({ pool: { id }, word }) => Effect.map(widen(id, word), (isWider) => isWider || whole.add(id)),
      { concurrency: "unbounded", discard: true }
    )
  }
})
