import type { Address } from "@countersign/core/primitives"
import { Option } from "effect"
import { getAddress } from "viem"
import { addressFromHex } from "./hex.ts"

/**
 * The address in a text of `0x` and 40 hexadecimal digits. None when the text mixes upper and lower case and its EIP-55
 * checksum is wrong: then it was probably mistyped.
 */
export const addressFromText = (text: string): Option.Option<Address> => {
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  const address = addressFromHex(text)
  return isMixed && getAddress(text.toLowerCase() as `0x${string}`) !== text ? Option.none() : Option.some(address)
}
