import { Clock, DateTime, Effect } from "effect"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { BitcoinSighted } from "./BitcoinSighting.ts"

/** Wait before a sighting that may change without a block is checked again: a fourth of the time since it was seen, within these. */
const SHORTEST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 600_000

/** When sightings are checked again. */
export const sightingChecks = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore

  const nextCheck = Effect.fnUntraced(function* ({ seenAt }: BitcoinSighted) {
    const nowMs = yield* Clock.currentTimeMillis
    const waited = (nowMs - DateTime.toEpochMillis(seenAt)) / 4
    return DateTime.makeUnsafe(nowMs + Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, waited)))
  })
  const later = (sighted: BitcoinSighted) => Effect.flatMap(nextCheck(sighted), (dueAt) => store.later(sighted, dueAt))

  return { nextCheck, later }
})
