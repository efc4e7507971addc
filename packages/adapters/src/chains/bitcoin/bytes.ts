import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"

export const hexOf = (bytes: Uint8Array): HexBytes => HexBytes.make(`0x${Buffer.from(bytes).toString("hex")}`)

/** Returns a copy of the bytes, because `bitcoinjs-lib` would use the entire underlying buffer of a view. */
export const bytesOf = (hex: HexBytes): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), "hex"))

/** Converts a transaction id or block hash in Bitcoin's format, which has no `0x` prefix. */
export const hashOf = (id: string): Hash32 => Hash32.make(`0x${id}`)

export const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
