import { ChainId, ChainIdNumber } from "@countersign/core/foundation/chains"
import { DecimalString } from "@countersign/core/foundation/primitives"
import { DateTime, Effect, Option, Schema, SchemaTransformation } from "effect"

export { ChainIdNumber } from "@countersign/core/foundation/chains"
export { AddressText, Hash32Text, HexBytesText, WalletAddressText } from "@countersign/core/foundation/primitives"

export const Decimal = DecimalString.annotate({ identifier: "DecimalString" })

/**
 * OpenAPI extension that contains the type of a query parameter. Every query parameter is text, but generated client
 * code should accept a number for a numeric parameter.
 */
export const SHOWN_AS = "x-shown-as"

const withShownType = <S extends Schema.Top>(schema: S, description: string, shownType: object): S["Rebuild"] =>
  Schema.annotateEncoded<S>({ description, [SHOWN_AS]: shownType })(schema)

/** Unlike `NumberFromString`, accepts no hexadecimal number, and does not decode an empty text as 0, which is Bitcoin. */
const ChainIdFromText = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text): number => (/^(?:0|[1-9]\d*)$/u.test(text) ? Number(text) : Number.NaN),
      encode: (id): string => String(id)
    })
  ),
  Schema.decodeTo(ChainIdNumber)
)

/**
 * A chain id in a query string. The reference does not list the values, because the reference page would preselect one.
 */
export const chainIdText = (description: string) => withShownType(ChainIdFromText, description, { type: "integer" })

const BooleanFromText = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (text): boolean => text === "true",
      encode: (value): "true" | "false" => (value ? "true" : "false")
    })
  )
)

/** `true` or `false` in a query string, for an optional parameter without a default. */
export const optionalFlagText = (description: string) =>
  Schema.optionalKey(withShownType(BooleanFromText, description, { type: "boolean" }))

/** A boolean in a query string; false by default. */
export const flagText = (description: string) =>
  withShownType(BooleanFromText.pipe(Schema.withDecodingDefaultKey(Effect.succeed("false" as const))), description, {
    type: "boolean",
    default: false
  })

/** Maximum number of values of a list in a query string. */
const MAX_LIST_ITEMS = 100

/** A list of at most `MAX_LIST_ITEMS` values, as `a,b` or as the repeated parameter `?x=a&x=b`. */
const commaSeparated = <S extends Schema.Codec<unknown, string>>(item: S) =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
    Schema.decodeTo(
      Schema.Array(item).check(
        Schema.isMaxLength(MAX_LIST_ITEMS, { message: `Expected at most ${MAX_LIST_ITEMS} values` })
      ),
      SchemaTransformation.transform<ReadonlyArray<S["Encoded"]>, string | ReadonlyArray<string>>({
        decode: (raw): ReadonlyArray<string> =>
          (typeof raw === "string" ? [raw] : raw)
            .flatMap((text) => text.split(","))
            .map((text) => text.trim())
            .filter((text) => text !== "")
            .slice(0, MAX_LIST_ITEMS + 1),
        encode: (items) => items.join(",")
      })
    )
  )

/** A list of chain ids in a query string. */
export const chainIdsText = (description: string) =>
  withShownType(commaSeparated(ChainIdFromText), description, {
    type: "array",
    items: { type: "integer", enum: ChainId.literals }
  })

/** A list in a query string whose items are these literals. */
export const wordsText = <const L extends ReadonlyArray<string>>(words: Schema.Literals<L>, description: string) =>
  withShownType(commaSeparated(words), description, { type: "array", items: { type: "string", enum: words.literals } })

interface Bounds {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

const integerInRange = ({ maximum, minimum }: Omit<Bounds, "default">) => {
  const message = `Expected a whole number between ${minimum} and ${maximum}`
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/u, { message })).pipe(
    Schema.decodeTo(Schema.NumberFromString),
    Schema.check(Schema.isBetween({ minimum, maximum }, { message }))
  )
}

/** An integer in a query string, within bounds. */
export const intText = (bounds: Bounds, description: string) => {
  const schema = integerInRange(bounds).pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(bounds.default))))
  return withShownType(schema, description, { type: "integer", ...bounds })
}

/** An integer in a query string, within bounds and without a default. */
export const intTextOrNone = (bounds: Omit<Bounds, "default">, description: string) =>
  Schema.optionalKey(withShownType(integerInRange(bounds), description, { type: "integer", ...bounds }))

/** A number in a query string, in plain decimal notation and within bounds. */
export const numberText = (
  { maximum, minimum }: { readonly minimum: number; readonly maximum: number },
  description: string
) => {
  const message = `Expected a number between ${minimum} and ${maximum}`
  const schema = Schema.String.check(Schema.isPattern(/^\d{1,9}(?:\.\d{1,9})?$/u, { message })).pipe(
    Schema.decodeTo(Schema.NumberFromString),
    Schema.check(Schema.isBetween({ minimum, maximum }, { message }))
  )
  return withShownType(schema, description, { type: "number", minimum, maximum })
}

/** Returns false for a day that does not exist: JavaScript parses 30 February as 2 March. */
const isExistingDay = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]|$)/u.exec(text) ?? []
  return day !== undefined && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

const isInstant = Schema.makeFilter((text: string) =>
  isExistingDay(text) && Option.isSome(DateTime.make(text))
    ? undefined
    : "Expected a date-time, such as 2026-01-31T12:00:00Z"
)

/** A date-time with or without an offset. Without an offset it is UTC. */
export const dateTimeText = (description: string) =>
  withShownType(Schema.String, description, { type: "string", format: "date-time" })
    .check(isInstant)
    .pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))
