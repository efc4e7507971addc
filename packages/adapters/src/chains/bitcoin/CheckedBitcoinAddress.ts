import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { decodeAddress } from "./readAddress.ts"

/** A Bitcoin address that can be paid: of the main network, with its checksum and a witness version that is in use. */
export const CheckedBitcoinAddress = BitcoinAddress.check(
  Schema.makeFilter(
    (text: string) =>
      Result.isSuccess(decodeAddress(text)) || "Expected a Bitcoin address of the main network with a right checksum"
  )
)
