import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"

export const hexOf = (bytes: Uint8Array): HexBytes => HexBytes.make(`0x${Buffer.from(bytes).toString("hex")}`)

/** Makes a copy, because `bitcoinjs-lib` would use the whole buffer behind a view. */
export const bytesOf = (hex: HexBytes): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), "hex"))

/** Converts an id in Bitcoin's format. */
export const hashOf = (id: string): Hash32 => Hash32.make(`0x${id}`)

export const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
