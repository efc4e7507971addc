import type { MarketSource, PastPrice } from "@countersign/core/accounting/market-data"
import { DateTime } from "effect"

/** A market data source with a name, for failover. */
export interface NamedSource extends MarketSource {
  readonly name: string
}

/**
 * Maximum age of a past price relative to the requested time, in milliseconds, because daily prices are a day apart.
 */
const MAX_AGE_MS = 86_400_000

/** Returns, for each time, the last price at or before it. Null if there is none, or if it is more than a day older. */
export const lastAtOrBefore = (
  points: ReadonlyArray<PastPrice>,
  ats: ReadonlyArray<DateTime.Utc>
): ReadonlyArray<PastPrice | null> => {
  const sortedPoints = points
    .map((point) => ({ point, ms: DateTime.toEpochMillis(point.at) }))
    .sort((a, b) => a.ms - b.ms)
  return ats.map((at) => {
    const atMs = DateTime.toEpochMillis(at)
    const lastPoint = sortedPoints.findLast(({ ms }) => ms <= atMs)
    return lastPoint !== undefined && lastPoint.ms >= atMs - MAX_AGE_MS ? lastPoint.point : null
  })
}
