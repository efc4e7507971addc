import { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"

/** viem's functions return checksummed addresses, whereas core addresses are in lower case. */
export const addressFromHex = (value: string): Address => Address.make(value.toLowerCase())

export const hash32FromHex = (value: string): Hash32 => Hash32.make(value.toLowerCase())

export const bytesFromHex = (value: string): HexBytes => HexBytes.make(value.toLowerCase())
