import { Address, Hash32, HexBytes } from "@countersign/core/primitives"
import { type Hex, isHex } from "viem"

/** A core value as viem's type. Both are `0x` and hexadecimal digits; viem uses a template type for them. */
export const hex = (value: Address | Hash32 | HexBytes | "0x7702"): Hex => {
  if (!isHex(value, { strict: false })) throw new Error(`Not hexadecimal: ${value}`)
  return value
}

/** Core addresses are in lower case; viem's functions return them with a checksum. */
export const addressFromHex = (value: string): Address => Address.make(value.toLowerCase())

export const hash32FromHex = (value: string): Hash32 => Hash32.make(value.toLowerCase())

export const bytesFromHex = (value: string): HexBytes => HexBytes.make(value.toLowerCase())
