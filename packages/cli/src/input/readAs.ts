import { BitcoinAddress, DecimalString, Hash32Text, HexBytesText } from "@countersign/core/foundation/primitives"
import { Duration, Option, Result, Schema, SchemaTransformation } from "effect"
import { Flag, Param } from "effect/cli"

const UNIT_SECONDS = {
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
  w: 604_800,
  week: 604_800,
  weeks: 604_800
} as const

const isUnit = (word: string): word is keyof typeof UNIT_SECONDS => Object.hasOwn(UNIT_SECONDS, word)

/** Parses a duration such as `90d`, `12h`, `1h30m` or `1.5 hours`. */
export const durationOrNone = (text: string): Option.Option<Duration.Duration> => {
  const matches = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/giu)]
  if (matches.length === 0 || matches.map(([part]) => part).join("") !== text.trimStart()) return Option.none()
  let seconds = 0
  for (const [, count, word = ""] of matches) {
    const unit = word.toLowerCase()
    if (!isUnit(unit)) return Option.none()
    seconds += Number(count) * UNIT_SECONDS[unit]
  }
  return Option.some(Duration.millis(Math.round(seconds * 1_000)))
}

/** Decodes a flag or argument with a schema, whose own error messages are shown. */
export const readAs = <A>(schema: Schema.Codec<A, string>) => {
  const decode = Schema.decodeUnknownResult(schema)
  const problemText = (text: string) =>
    Result.match(decode(text), { onFailure: ({ message }) => message, onSuccess: () => "" })
  return Param.filterMap((text: string) => Result.getSuccess(decode(text)), problemText)
}

/** Parses a duration, such as `90d`. */
export const readAsDuration = Param.filterMap(
  durationOrNone,
  () => "Expected a number and a unit, such as 90d, 12h, 1h30m or 2 weeks"
)

const pairOrNone = (text: string): Option.Option<readonly [string, string]> => {
  const [first, second, ...others] = text.split("/")
  return first && second && others.length === 0 ? Option.some([first, second]) : Option.none()
}

/** Parses two tokens separated by a slash. */
export const readAsPair = Param.filterMap(pairOrNone, () => "Expected two tokens such as USDC/WETH")

const decodeSignatures = Schema.decodeUnknownResult(Schema.Record(Hash32Text, HexBytesText))

/** Parses element hashes and their signatures. */
export const readAsSignatures = Param.filterMap(
  (pairs: Readonly<Record<string, string>>) => Result.getSuccess(decodeSignatures(pairs)),
  () => "Expected HASH=SIGNATURE, both in hexadecimal"
)

/** Converts hexadecimal digits to lower case before `to` decodes them. */
export const inLowerCase = <S extends Schema.Codec<string, string>>(schema: S) =>
  Schema.String.pipe(Schema.decodeTo(schema, SchemaTransformation.toLowerCase()))

/** Accepts a number from `minimum` to `maximum`. */
export const requireWithin = (minimum: number, maximum: number) =>
  Flag.filter(
    (number: number) => number >= minimum && number <= maximum,
    () => (maximum === Number.MAX_SAFE_INTEGER ? `Expected ${minimum} or more` : `Expected ${minimum} to ${maximum}`)
  )

export const boundsOf = (schema: Schema.Top): { readonly minimum: number; readonly maximum: number } => {
  const { maximum, minimum } = Schema.toJsonSchemaDocument(schema).schema
  return { minimum: Number(minimum), maximum: Number(maximum) }
}

const Receiver = Schema.Struct({ toAddress: BitcoinAddress, amount: DecimalString })
const decodeReceiver = Schema.decodeUnknownOption(Receiver)

/** Parses a receiver and an amount separated by an equals sign. */
export const readAsReceiver = Param.filterMap(
  (text: string) => {
    const [toAddress, amount] = text.split(/=(.*)/su)
    return decodeReceiver({ toAddress, amount })
  },
  () => "Expected an address and an amount in BTC, such as bc1q…=0.01"
)
