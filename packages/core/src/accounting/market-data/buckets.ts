import { DateTime } from "effect"

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Returns the number of full hours since 1970. */
export const hourOf = (at: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(at) / HOUR_MS)

export const startOfHour = ({ hour }: { readonly hour: number }): DateTime.Utc => DateTime.makeUnsafe(hour * HOUR_MS)

/** Returns the start of the UTC day. */
export const startOfDay = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(at) / DAY_MS) * DAY_MS)
