import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { decodeAddress } from "./readAddress.ts"

/** A payable Bitcoin address: on the main network, with a valid checksum and a supported witness version. */
export const CheckedBitcoinAddress = BitcoinAddress.check(
  Schema.makeFilter(
    (text: string) =>
      Result.isSuccess(decodeAddress(text)) || "Expected a Bitcoin address of the main network with a valid checksum"
  )
)
