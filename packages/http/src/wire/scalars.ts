import { addressFromText } from "@countersign/adapters/evm"
import { ChainId, EvmChainId } from "@countersign/core/chains"
import { Address, BitcoinAddress, DecimalString, Hash32, HexBytes } from "@countersign/core/primitives"
import { DateTime, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** Text that stands for a value of another schema; what can't be read says why. */
const readAs = <S extends Schema.Codec<string, string>>(
  from: Schema.Codec<string, string>,
  to: S,
  read: (text: string) => Option.Option<string>,
  complaint: string
) =>
  from.pipe(
    Schema.decodeTo(
      Schema.toType(to),
      SchemaTransformation.transformEffect({
        decode: (text: string, options) =>
          Option.match(read(text), {
            onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: complaint }, text, options)),
            onSome: (value) => Effect.succeed(value as S["Type"])
          }),
        encode: (value: S["Type"]) => Effect.succeed(value)
      })
    )
  )

const WRONG_CHECKSUM = "The checksum of this address (EIP-55) is wrong. Check the address, or give it in lower case."

/** An EVM address in any case; a mixed-case one must carry the checksum of EIP-55. Inside it is in lower case. */
export const AddressText = readAs(
  Schema.String.check(
    Schema.isPattern(/^0x[a-fA-F0-9]{40}$/u, { message: "Expected an EVM address: 0x and 40 hexadecimal digits" })
  ),
  Address,
  addressFromText,
  WRONG_CHECKSUM
).annotate({ identifier: "Address" })

const isBitcoinAddress = Schema.is(BitcoinAddress)
const isEvmAddressText = (text: string) => /^0x[a-fA-F0-9]{40}$/u.test(text)

/** An EVM address as above, or a Bitcoin address as it is. */
export const AnyAddressText = readAs(
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      isEvmAddressText(text) || isBitcoinAddress(text)
        ? undefined
        : "Expected an EVM address (0x and 40 hexadecimal digits) or a Bitcoin address"
    )
  ),
  Schema.Union([Address, BitcoinAddress]),
  (text) => (isBitcoinAddress(text) ? Option.some(text) : addressFromText(text)),
  WRONG_CHECKSUM
).annotate({ identifier: "EvmOrBitcoinAddress" })

const lowerCase = (text: string) => Option.some(text.toLowerCase())

export const Hash32Text = readAs(
  Schema.String.check(
    Schema.isPattern(/^0x[a-fA-F0-9]{64}$/u, { message: "Expected a 32-byte hash: 0x and 64 hexadecimal digits" })
  ),
  Hash32,
  lowerCase,
  ""
).annotate({ identifier: "Hash32" })

export const HexBytesText = readAs(
  Schema.String.check(
    Schema.isPattern(/^0x(?:[a-fA-F0-9]{2})*$/u, {
      message: "Expected bytes in hexadecimal: 0x and an even number of digits"
    })
  ),
  HexBytes,
  lowerCase,
  ""
).annotate({ identifier: "HexBytes" })

export const Decimal = DecimalString.annotate({ identifier: "DecimalString" })

const chainIds = ChainId.literals.join(", ")

export const ChainIdNumber = ChainId.annotate({
  identifier: "ChainId",
  message: `Expected the id of a supported chain: ${chainIds}`
})

export const EvmChainIdNumber = EvmChainId.annotate({
  identifier: "EvmChainId",
  message: `Expected the id of a supported EVM chain: ${EvmChainId.literals.join(", ")}`
})

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

/** A date-time with or without an offset; without one it is UTC. */
export const DateTimeText = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Option.isSome(DateTime.make(text)) ? undefined : "Expected a date-time, such as 2026-01-31T12:00:00Z"
  )
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))
