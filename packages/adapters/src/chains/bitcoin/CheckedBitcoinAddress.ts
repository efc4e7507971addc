import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { decodeAddress } from "./readAddress.ts"

/** A Bitcoin address that can be paid: on mainnet, with a valid checksum and a supported witness version. */
export const CheckedBitcoinAddress = BitcoinAddress.check(
  Schema.makeFilter(
    (text: string) =>
      Result.isSuccess(decodeAddress(text)) || "Expected a Bitcoin mainnet address with a valid checksum"
  )
)
