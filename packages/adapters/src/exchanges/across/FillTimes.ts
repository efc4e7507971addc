import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BoundedMap } from "@countersign/core/foundation/primitives"
import { type BridgeFill, BridgeFillStore } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"

/** Of fewer fills nothing is concluded. */
const ENOUGH = 3
const PAIRS_MOST = 200
const SHORTEST_SECONDS = 1
/** What other processes have seen since is read after this time. */
const READ_EVERY_MS = 30_000

interface Read {
  readonly atMs: number
  /** By how much later than said fills were, the least first. */
  readonly lateness: ReadonlyArray<number>
}

/**
 * How long fills take: the provider's word, which knows of the amount and of this hour, corrected by how much later than said
 * most of the latest fills were, which all processes have seen.
 */
export const makeFillTimes = Effect.map(BridgeFillStore, (store) => {
  const reads = new BoundedMap<string, Read>(PAIRS_MOST)

  const latenessOf = Effect.fnUntraced(function* (from: EvmChainId, to: EvmChainId) {
    const key = `${from}:${to}`
    const atMs = yield* Clock.currentTimeMillis
    const known = reads.get(key)
    if (known !== undefined && atMs - known.atMs < READ_EVERY_MS) return known.lateness
    const fills = yield* store.latest(from, to)
    const lateness = fills.map(({ saidSeconds, seconds }) => seconds - saidSeconds).toSorted((a, b) => a - b)
    reads.set(key, { atMs, lateness })
    return lateness
  })

  return {
    record: (fill: BridgeFill): Effect.Effect<void> =>
      Effect.andThen(
        store.record(fill),
        Effect.sync(() => void reads.delete(`${fill.from}:${fill.to}`))
      ),
    expectedSeconds: (from: EvmChainId, to: EvmChainId, saidSeconds: number): Effect.Effect<number> =>
      Effect.map(latenessOf(from, to), (lateness) => {
        const median = lateness.length < ENOUGH ? 0 : lateness[Math.floor(lateness.length / 2)]!
        return Math.max(SHORTEST_SECONDS, saidSeconds + median)
      })
  }
})

export type FillTimes = Effect.Success<typeof makeFillTimes>
