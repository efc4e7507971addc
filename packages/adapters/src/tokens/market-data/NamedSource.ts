import type { MarketSource, PastPrice } from "@countersign/core/accounting/market-data"
import { DateTime } from "effect"

/** A source that others stand in for. */
export interface NamedSource extends MarketSource {
  readonly name: string
}

/** An older figure says too little of a time: daily figures are a day apart. */
const OLDEST_MS = 86_400_000

/** For each time the last price at or before it; null where that is more than a day before, or where there is none. */
export const lastAtOrBefore = (
  points: ReadonlyArray<PastPrice>,
  ats: ReadonlyArray<DateTime.Utc>
): ReadonlyArray<PastPrice | null> => {
  const sorted = points.map((point) => ({ point, ms: DateTime.toEpochMillis(point.at) })).sort((a, b) => a.ms - b.ms)
  return ats.map((at) => {
    const atMs = DateTime.toEpochMillis(at)
    const last = sorted.findLast(({ ms }) => ms <= atMs)
    return last !== undefined && last.ms >= atMs - OLDEST_MS ? last.point : null
  })
}
