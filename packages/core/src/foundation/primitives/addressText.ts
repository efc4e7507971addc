import { Context, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { Address, BITCOIN_ADDRESS, BitcoinAddress, Hash32, HexBytes } from "./Hex.ts"

/**
 * Returns whether an EVM address in mixed case has a valid EIP-55 checksum. Adapters provide the function, because the
 * checksum requires keccak-256, which the core does not implement. By default, addresses in mixed case are rejected.
 */
export const AddressChecksum = Context.Reference<(mixedCase: string) => boolean>(
  "@countersign/core/primitives/AddressChecksum",
  { defaultValue: () => () => false }
)

const EVM_ADDRESS = /^0x[a-fA-F0-9]{40}$/u
const NOT_AN_EVM_ADDRESS = "Expected an EVM address: 0x and 40 hexadecimal digits"
const WRONG_CHECKSUM = "The checksum of this address (EIP-55) is wrong. Check the address, or send it in lower case."

const isMixedCase = (text: string): boolean => {
  const digits = text.slice(2)
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
}

/** Returns the address in lower case. `None` if its checksum is wrong. */
const evmAddress = (text: string): Effect.Effect<Option.Option<string>> =>
  isMixedCase(text)
    ? Effect.map(AddressChecksum, (isChecksumValid) =>
        isChecksumValid(text) ? Option.some(text.toLowerCase()) : Option.none()
      )
    : Effect.succeedSome(text.toLowerCase())

const decodeAs = <S extends Schema.Codec<string, string>>(
  from: Schema.Codec<string, string>,
  to: S,
  read: (text: string) => Effect.Effect<Option.Option<string>>,
  message: string
) =>
  from.pipe(
    Schema.decodeTo(
      Schema.toType(to),
      SchemaTransformation.transformEffect({
        decode: (text: string, options) =>
          Effect.flatMap(
            read(text),
            Option.match({
              onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message }, text, options)),
              onSome: (value) => Effect.succeed(value as S["Type"])
            })
          ),
        encode: (value: S["Type"]) => Effect.succeed(value)
      })
    )
  )

/**
 * An EVM address in a request: in upper case, in lower case, or in mixed case with an EIP-55 checksum. Decoded to lower
 * case.
 */
export const AddressText = decodeAs(
  Schema.String.check(Schema.isPattern(EVM_ADDRESS, { message: NOT_AN_EVM_ADDRESS })),
  Address,
  evmAddress,
  WRONG_CHECKSUM
).annotate({ identifier: "Address" })

/** Address of a wallet: a smart account or a Bitcoin address. */
export const WalletAddress = Schema.Union([Address, BitcoinAddress])
export type WalletAddress = typeof WalletAddress.Type

/** An EVM address as in `AddressText`, or a Bitcoin address, which is not changed. */
export const WalletAddressText = decodeAs(
  Schema.String.check(
    Schema.isPattern(new RegExp(`${EVM_ADDRESS.source}|${BITCOIN_ADDRESS.source}`, "u"), {
      message: "Expected an EVM address (0x and 40 hexadecimal digits) or a Bitcoin address"
    })
  ),
  WalletAddress,
  (text) => (BITCOIN_ADDRESS.test(text) ? Effect.succeedSome(text) : evmAddress(text)),
  WRONG_CHECKSUM
).annotate({ identifier: "EvmOrBitcoinAddress" })

const lowerCase = (text: string) => Effect.succeedSome(text.toLowerCase())

/** 32 bytes in hexadecimal, in upper or lower case. Decoded to lower case. */
export const Hash32Text = decodeAs(
  Schema.String.check(
    Schema.isPattern(/^0x[a-fA-F0-9]{64}$/u, { message: "Expected a 32-byte hash: 0x and 64 hexadecimal digits" })
  ),
  Hash32,
  lowerCase,
  ""
).annotate({ identifier: "Hash32" })

/** Bytes in hexadecimal, in upper or lower case. Decoded to lower case. */
export const HexBytesText = decodeAs(
  Schema.String.check(
    Schema.isPattern(/^0x(?:[a-fA-F0-9]{2})*$/u, {
      message: "Expected bytes in hexadecimal: 0x and an even number of digits"
    })
  ),
  HexBytes,
  lowerCase,
  ""
).annotate({ identifier: "HexBytes" })
