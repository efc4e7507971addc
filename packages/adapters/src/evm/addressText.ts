import type { Address } from "@countersign/core/primitives"
import { Option } from "effect"
import { getAddress } from "viem"
import { addressFromHex } from "./hex.ts"

/**
 * The address that a text of `0x` and 40 hexadecimal digits stands for; none when it mixes cases and the checksum of
 * EIP-55 is wrong, which a mistyped or cut address betrays itself by.
 */
export const addressFromText = (text: string): Option.Option<Address> => {
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  const address = addressFromHex(text)
  return isMixed && getAddress(text.toLowerCase() as `0x${string}`) !== text ? Option.none() : Option.some(address)
}
