import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BoundedMap } from "@countersign/core/foundation/primitives"
import { type BridgeFill, BridgeFillStore } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"

/** Minimum number of recorded fills for a correction of the estimate. */
const MIN_RECORDED_FILLS = 3
const MAX_PAIRS = 200
const MIN_SECONDS = 1
/** Interval after which fills that other processes recorded are read again. */
const READ_EVERY_MS = 30_000

interface FillDelays {
  readonly atMs: number
  /** Delays of the latest fills compared with the provider's estimate, in seconds, sorted ascending. */
  readonly lateness: ReadonlyArray<number>
}

/**
 * Estimates fill times: the provider's estimate, which considers the amount and current conditions, plus the median
 * delay of the latest fills if there are enough of them. All processes share the recorded fills.
 */
export const makeFillTimes = Effect.map(BridgeFillStore, (store) => {
  const reads = new BoundedMap<string, FillDelays>(MAX_PAIRS)

  const latenessOf = Effect.fnUntraced(function* (from: EvmChainId, to: EvmChainId) {
    const key = `${from}:${to}`
    const atMs = yield* Clock.currentTimeMillis
    const knownRead = reads.get(key)
    if (knownRead !== undefined && atMs - knownRead.atMs < READ_EVERY_MS) return knownRead.lateness
    const fills = yield* store.listLatest(from, to)
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
        const median = lateness.length < MIN_RECORDED_FILLS ? 0 : lateness[Math.floor(lateness.length / 2)]!
        return Math.max(MIN_SECONDS, saidSeconds + median)
      })
  }
})

export type FillTimes = Effect.Success<typeof makeFillTimes>
