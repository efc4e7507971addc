import { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"

/** Converts an address to lower case, which the core requires. viem returns checksummed addresses. */
export const addressFromHex = (value: string): Address => Address.make(value.toLowerCase())

export const hash32FromHex = (value: string): Hash32 => Hash32.make(value.toLowerCase())

export const bytesFromHex = (value: string): HexBytes => HexBytes.make(value.toLowerCase())
