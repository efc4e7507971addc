import { DateTime } from "effect"

export type LimitPeriod = "daily" | "monthly" | "quarterly"
export const limitPeriods: ReadonlyArray<LimitPeriod> = ["daily", "monthly", "quarterly"]

/** The first month of each quarter of the calendar, counted from 1. */
const quarterMonth = (month: number): number => month - ((month - 1) % 3)

/** When the period of an instant began: midnight of the day, of the month's first, of the quarter's first, in the zone. */
export const periodStart = (period: LimitPeriod, now: DateTime.Utc, timeZone: string): DateTime.Utc => {
  const zoned = DateTime.setZoneNamedUnsafe(now, timeZone)
  const day = DateTime.startOf(zoned, "day")
  if (period === "daily") return DateTime.toUtc(day)
  const month = DateTime.startOf(day, "month")
  if (period === "monthly") return DateTime.toUtc(month)
  const { month: number } = DateTime.toParts(month)
  return DateTime.toUtc(DateTime.startOf(DateTime.setParts(month, { month: quarterMonth(number) }), "month"))
}
