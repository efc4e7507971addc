import { DateTime } from "effect"

export type LimitPeriod = "daily" | "monthly" | "quarterly"
export const limitPeriods: ReadonlyArray<LimitPeriod> = ["daily", "monthly", "quarterly"]

/** Returns the first month of the calendar quarter, counted from 1. */
const quarterMonth = (month: number): number => month - ((month - 1) % 3)

/**
 * Returns the start of the period that contains a time: midnight, in the time zone, of the day or of the first day of
 * the month or quarter.
 */
export const periodStart = (period: LimitPeriod, now: DateTime.Utc, timeZone: string): DateTime.Utc => {
  const zonedNow = DateTime.setZoneNamedUnsafe(now, timeZone)
  const day = DateTime.startOf(zonedNow, "day")
  if (period === "daily") return DateTime.toUtc(day)
  const month = DateTime.startOf(day, "month")
  if (period === "monthly") return DateTime.toUtc(month)
  const { month: number } = DateTime.toParts(month)
  return DateTime.toUtc(DateTime.startOf(DateTime.setParts(month, { month: quarterMonth(number) }), "month"))
}
