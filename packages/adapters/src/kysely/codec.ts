import { DateTime, Schema } from "effect"

/** Takes a row's values for what the core says they are, or throws. */
export const checkType = <A>(schema: Schema.Codec<A, unknown>) => Schema.decodeUnknownSync(Schema.toType(schema))

export const millisOf = (at: DateTime.Utc): number => DateTime.toEpochMillis(at)

export const millisOrNull = (at: DateTime.Utc | null): number | null => (at === null ? null : millisOf(at))

export const instantOf = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)

export const instantOrNull = (millis: number | null): DateTime.Utc | null =>
  millis === null ? null : instantOf(millis)
