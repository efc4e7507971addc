import { Context, Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { Address, BITCOIN_ADDRESS, BitcoinAddress, Hash32, HexBytes } from "./Hex.ts"

/**
 * Returns whether an EVM address in mixed case has a valid EIP-55 checksum. Adapters provide the function, because the
 * checksum requires keccak-256, which the core does not implement. By default, addresses in mixed case are rejected.
 */
export const AddressChecksum = Context.Reference<(mixedCase: string) => boolean>(
  "@countersign/core/primitives/AddressChecksum",
  { defaultValue: () => () => false }
)

/**
 * Checks whether a Bitcoin address can be paid: its checksum, network and script. Fails with a stable code and the
 * reason as a sentence. Adapters provide the function, because it needs SHA-256 and secp256k1, which the core does not
 * implement. By default, Bitcoin addresses are rejected.
 */
export const BitcoinAddressCheck = Context.Reference<
  (text: string) => Result.Result<unknown, { readonly code: string; readonly reason: string }>
>("@countersign/core/primitives/BitcoinAddressCheck", {
  defaultValue: () => () => Result.fail({ code: "not_checked", reason: "Bitcoin addresses can't be checked here." })
})

const EVM_ADDRESS = /^0x[a-fA-F0-9]{40}$/u
const NOT_AN_EVM_ADDRESS = "Expected an EVM address: 0x and 40 hexadecimal digits"
const WRONG_CHECKSUM = "The checksum of this address (EIP-55) is wrong. Check the address, or send it in lower case."

const isMixedCase = (text: string): boolean => {
  const digits = text.slice(2)
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
}

/** The text of a decoded address or hash, or the annotations of its problem. */
type Reading = Effect.Effect<string, Schema.Annotations.Issue>

/** Returns the address in lower case. Fails if its checksum is wrong. */
const evmAddress = (text: string): Reading =>
  isMixedCase(text)
    ? Effect.flatMap(AddressChecksum, (isChecksumValid) =>
        isChecksumValid(text) ? Effect.succeed(text.toLowerCase()) : Effect.fail({ message: WRONG_CHECKSUM })
      )
    : Effect.succeed(text.toLowerCase())

/** Returns the unchanged address. Fails if it can't be paid. */
const bitcoinAddress = (text: string): Reading =>
  Effect.flatMap(BitcoinAddressCheck, (check) =>
    Result.match(check(text), {
      onSuccess: () => Effect.succeed(text),
      onFailure: ({ code, reason }) => Effect.fail({ code, message: reason })
    })
  )

const decodeAs = <S extends Schema.Codec<string, string>>(
  from: Schema.Codec<string, string>,
  to: S,
  read: (text: string) => Reading
) =>
  from.pipe(
    Schema.decodeTo(
      Schema.toType(to),
      SchemaTransformation.transformEffect({
        decode: (text: string, options) =>
          Effect.mapBoth(read(text), {
            onSuccess: (value) => value as S["Type"],
            onFailure: (annotations) => new SchemaIssue.InvalidValue(annotations, text, options)
          }),
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
  evmAddress
).annotate({ identifier: "Address" })

/** Address of a wallet: a smart account or a Bitcoin address. */
export const WalletAddress = Schema.Union([Address, BitcoinAddress])
export type WalletAddress = typeof WalletAddress.Type

/** An EVM address as in `AddressText`, or a Bitcoin address that can be paid, which is not changed. */
export const WalletAddressText = decodeAs(
  Schema.String.check(
    Schema.isPattern(new RegExp(`${EVM_ADDRESS.source}|${BITCOIN_ADDRESS.source}`, "u"), {
      message: "Expected an EVM address (0x and 40 hexadecimal digits) or a Bitcoin address"
    })
  ),
  WalletAddress,
  (text) => (BITCOIN_ADDRESS.test(text) ? bitcoinAddress(text) : evmAddress(text))
).annotate({ identifier: "EvmOrBitcoinAddress" })

const lowerCase = (text: string) => Effect.succeed(text.toLowerCase())

/** 32 bytes in hexadecimal, in upper or lower case. Decoded to lower case. */
export const Hash32Text = decodeAs(
  Schema.String.check(
    Schema.isPattern(/^0x[a-fA-F0-9]{64}$/u, { message: "Expected a 32-byte hash: 0x and 64 hexadecimal digits" })
  ),
  Hash32,
  lowerCase
).annotate({ identifier: "Hash32" })

/** Bytes in hexadecimal, in upper or lower case. Decoded to lower case. */
export const HexBytesText = decodeAs(
  Schema.String.check(
    Schema.isPattern(/^0x(?:[a-fA-F0-9]{2})*$/u, {
      message: "Expected bytes in hexadecimal: 0x and an even number of digits"
    })
  ),
  HexBytes,
  lowerCase
).annotate({ identifier: "HexBytes" })
