import { Cron, DateTime, Option, Schema } from "effect"

/** A calendar month, such as `2026-10`. */
export const Month = Schema.String.check(
  Schema.isPattern(/^20\d{2}-(?:0[1-9]|1[0-2])$/u, { message: "Expected a month, such as 2026-10" })
)
export type Month = typeof Month.Type

/** A month in a time zone, from its first instant (inclusive) to the first instant of the next month (exclusive). */
export interface Period {
  readonly month: Month
  /** The IANA name, spelled as in the request. */
  readonly timezone: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/**
 * Returns the zone with an IANA name. `None` for an unknown name, and for an offset such as `-03:00`, which has no
 * daylight saving time.
 */
export const zoneOrNone = (name: string): Option.Option<DateTime.TimeZone.Named> =>
  /^[+-]/u.test(name) ? Option.none() : DateTime.zoneMakeNamed(name)

/** Returns the zone of a name that was validated before. */
const zoneOf = (name: string): DateTime.TimeZone.Named => Option.getOrThrow(zoneOrNone(name))

const monthlyCron = (zone: DateTime.TimeZone.Named) => Cron.parseUnsafe("0 0 1 * *", zone)

/**
 * Returns the first instant of the next month. If midnight occurs twice, the first one. If it does not occur, the first
 * instant after it.
 */
export const nextMonthStart = (timezone: string, after: DateTime.Utc): DateTime.Utc =>
  DateTime.fromDateUnsafe(Cron.next(monthlyCron(zoneOf(timezone)), after))

/** Returns the month that contains an instant. */
export const monthAt = (timezone: string, at: DateTime.Utc): Month => {
  const { month, year } = DateTime.toParts(DateTime.setZone(at, zoneOf(timezone)))
  return `${year}-${String(month).padStart(2, "0")}`
}

/** A number of days that exceeds the largest UTC offset, and is shorter than a month. */
const DAYS_WITHIN = 5

/** Returns the month that ends at an instant. */
export const monthEndingAt = (timezone: string, start: DateTime.Utc): Month =>
  monthAt(timezone, DateTime.subtract(start, { days: DAYS_WITHIN }))

export const periodOf = (month: Month, timezone: string): Period => {
  const utcStart = DateTime.makeUnsafe(`${month}-01T00:00:00Z`)
  const periodStart = nextMonthStart(timezone, DateTime.subtract(utcStart, { days: DAYS_WITHIN }))
  return { month, timezone, from: periodStart, to: nextMonthStart(timezone, periodStart) }
}
