import type { Address } from "@countersign/core/foundation/primitives"
import { concat, type Hex } from "viem"
import { addressFromHex } from "./hex.ts"

/** Prefix of an EIP-7702 account's code: 0xef0100 ‖ the delegate's address. */
export const DELEGATION_PREFIX = "0xef0100"

export const delegationDesignator = (delegate: Address): Hex => concat([DELEGATION_PREFIX, delegate])

/** Returns the delegate in a delegation designator; null for any other code. */
export const delegateOf = (code: Hex | undefined): Address | null =>
  code?.length === 48 && code.startsWith(DELEGATION_PREFIX) ? addressFromHex(`0x${code.slice(8)}`) : null
