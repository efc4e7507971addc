import { Schema } from "effect"

/**
 * Creates a schema of text that matches the pattern. Its TypeScript type also has the prefix `0x`, as EVM libraries
 * require.
 */
const hexadecimal = (pattern: RegExp, message: string) =>
  Schema.String.pipe(
    Schema.refine(
      (text): text is `0x${string}` => pattern.test(text),
      Schema.isPattern(pattern, { message }).annotations
    )
  )

/**
 * A 20-byte EVM address in lower case: `0x` and 40 hexadecimal digits. Checksums are verified when requests are parsed.
 */
export const Address = hexadecimal(/^0x[a-f0-9]{40}$/u, "Expected an EVM address: 0x and 40 hexadecimal digits").pipe(
  Schema.brand("Address")
)
export type Address = typeof Address.Type

/** 32 bytes in lower case, such as the hash of a user operation or a transaction, or the id of a Bitcoin quote. */
export const Hash32 = hexadecimal(/^0x[a-f0-9]{64}$/u, "Expected a 32-byte hash: 0x and 64 hexadecimal digits").pipe(
  Schema.brand("Hash32")
)
export type Hash32 = typeof Hash32.Type

const byteToHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** Converts bytes to hexadecimal text, two digits per byte, without `0x`. */
export const hexDigits = (bytes: Uint8Array): string => {
  let digits = ""
  for (const byte of bytes) digits += byteToHex[byte]
  return digits
}

export const hashFromBytes = (bytes: Uint8Array): Hash32 => Hash32.make(`0x${hexDigits(bytes)}`)

/** Bytes in hexadecimal. An empty value is `0x`. */
export const HexBytes = hexadecimal(
  /^0x(?:[a-f0-9]{2})*$/u,
  "Expected bytes in hexadecimal: 0x and an even number of digits"
).pipe(Schema.brand("HexBytes"))
export type HexBytes = typeof HexBytes.Type

/** Placeholder address of a chain's native token. */
export const NATIVE_TOKEN = Address.make("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee")

/** Sender of minted tokens and recipient of burnt tokens in transfer logs. */
export const ZERO_ADDRESS = Address.make(`0x${"0".repeat(40)}`)

export const isNativeToken = (token: Address): boolean => token === NATIVE_TOKEN

export const BITCOIN_ADDRESS =
  /^(?:[13][a-km-zA-HJ-NP-Z1-9]{25,35}|bc1q[02-9ac-hj-np-z]{38}|bc1q[02-9ac-hj-np-z]{58}|bc1p[02-9ac-hj-np-z]{10,70})$/u

/** A Bitcoin mainnet address: legacy, SegWit or Taproot. Only the format is verified here, not the checksum. */
export const BitcoinAddress = Schema.String.check(
  Schema.isPattern(BITCOIN_ADDRESS, { message: "Expected a Bitcoin address" })
).pipe(Schema.brand("BitcoinAddress"))
export type BitcoinAddress = typeof BitcoinAddress.Type

export const isEvmAddress = (address: Address | BitcoinAddress): address is Address => address.startsWith("0x")
