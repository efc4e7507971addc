import { Schema } from "effect"

/** The period of a chart, or for profit and loss: days, a month of 30 days, a year of 365 days, or all time. */
export const TimeRange = Schema.Literals(["1d", "7d", "1m", "1a", "all"])
export type TimeRange = typeof TimeRange.Type

const DAY_MS = 86_400_000

const days: Record<Exclude<TimeRange, "all">, number> = { "1d": 1, "7d": 7, "1m": 30, "1a": 365 }

/** Returns the start of a period that ends now, in epoch milliseconds. */
export const rangeStart = (range: TimeRange, nowMs: number): number =>
  range === "all" ? 0 : nowMs - days[range] * DAY_MS
