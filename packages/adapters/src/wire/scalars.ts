import { ChainIdNumber } from "@countersign/core/chains"
import { DecimalString } from "@countersign/core/primitives"
import { DateTime, Option, Schema, SchemaTransformation } from "effect"

export { ChainIdNumber } from "@countersign/core/chains"
export { AddressText, Hash32Text, HexBytesText, WalletAddressText } from "@countersign/core/primitives"

export const Decimal = DecimalString.annotate({ identifier: "DecimalString" })

/** A chain id in a query string. */
export const ChainIdText = Schema.NumberFromString.pipe(Schema.decodeTo(ChainIdNumber))

/** A boolean in a query string. */
export const BooleanText = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (text): boolean => text === "true",
      encode: (value): "true" | "false" => (value ? "true" : "false")
    })
  )
)

/** `a,b` or the repeated form `?x=a&x=b`. */
export const commaSeparated = <S extends Schema.Codec<unknown, string>>(item: S) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(
      Schema.Array(item),
      SchemaTransformation.transform<ReadonlyArray<S["Encoded"]>, string | ReadonlyArray<string>>({
        decode: (raw): ReadonlyArray<string> =>
          (typeof raw === "string" ? [raw] : raw)
            .flatMap((text) => text.split(","))
            .map((text) => text.trim())
            .filter((text) => text !== ""),
        encode: (items) => items.join(",")
      })
    )
  )

/** A whole number in a query string, within bounds. */
export const intText = (minimum: number, maximum: number) => {
  const message = `Expected a whole number between ${minimum} and ${maximum}`
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/u, { message })).pipe(
    Schema.decodeTo(Schema.NumberFromString),
    Schema.check(Schema.isBetween({ minimum, maximum }, { message }))
  )
}

/** JavaScript takes 30 February for 2 March. */
const hasSuchDay = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]|$)/u.exec(text) ?? []
  return day !== undefined && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

/** A date-time with or without an offset; without one it is UTC. */
export const DateTimeText = Schema.String.check(
  Schema.makeFilter((text: string) =>
    hasSuchDay(text) && Option.isSome(DateTime.make(text))
      ? undefined
      : "Expected a date-time, such as 2026-01-31T12:00:00Z"
  )
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))
