import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BoundedMap } from "@countersign/core/foundation/primitives"
import { type BridgeFill, BridgeFillStore } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"

/** Minimum number of fills for an estimate. */
const ENOUGH = 3
const MAX_PAIRS = 200
const MIN_SECONDS = 1
/** After this time the results of other processes are read again. */
const READ_EVERY_MS = 30_000

interface Read {
  readonly atMs: number
  /** How much later than estimated the fills were, sorted ascending. */
  readonly lateness: ReadonlyArray<number>
}

/**
 * Estimates fill times. The provider's estimate considers the amount and current conditions. The delay of most of the
 * latest fills, which all processes share, is added to it.
 */
export const makeFillTimes = Effect.map(BridgeFillStore, (store) => {
  const reads = new BoundedMap<string, Read>(MAX_PAIRS)

  const latenessOf = Effect.fnUntraced(function* (from: EvmChainId, to: EvmChainId) {
    const key = `${from}:${to}`
    const atMs = yield* Clock.currentTimeMillis
    const knownRead = reads.get(key)
    if (knownRead !== undefined && atMs - knownRead.atMs < READ_EVERY_MS) return knownRead.lateness
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
        return Math.max(MIN_SECONDS, saidSeconds + median)
      })
  }
})

export type FillTimes = Effect.Success<typeof makeFillTimes>
