import { Schema } from "effect"

/** A UTC calendar month, such as 2026-01. */
export const Month = Schema.String.check(
  Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])$/u, { message: "Expected a month such as 2026-01" })
).pipe(Schema.brand("Month"))
export type Month = typeof Month.Type
