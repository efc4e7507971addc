import { DateTime } from "effect"

export type LimitPeriod = "daily" | "monthly" | "quarterly"
export const limitPeriods: ReadonlyArray<LimitPeriod> = ["daily", "monthly", "quarterly"]

/** The first month of the calendar quarter, counted from 1. */
const quarterMonth = (month: number): number => month - ((month - 1) % 3)

/**
 * The beginning of the period that contains an instant: midnight of the day, or of the first day of the month or
 * quarter, in the zone.
 */
export const periodStart = (period: LimitPeriod, now: DateTime.Utc, timeZone: string): DateTime.Utc => {
  const zoned = DateTime.setZoneNamedUnsafe(now, timeZone)
  const day = DateTime.startOf(zoned, "day")
  if (period === "daily") return DateTime.toUtc(day)
  const month = DateTime.startOf(day, "month")
  if (period === "monthly") return DateTime.toUtc(month)
  const { month: number } = DateTime.toParts(month)
  return DateTime.toUtc(DateTime.startOf(DateTime.setParts(month, { month: quarterMonth(number) }), "month"))
}
