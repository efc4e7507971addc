import type { Address } from "@countersign/core/foundation/primitives"
import { concat, type Hex } from "viem"
import { addressFromHex } from "./hex.ts"

/** EIP-7702 code of an account: 0xef0100 ‖ the delegate's address. */
export const DELEGATION_PREFIX = "0xef0100"

export const delegationDesignator = (delegate: Address): Hex => concat([DELEGATION_PREFIX, delegate])

/** The delegate in a designator; null for any other code. */
export const delegateOf = (code: Hex | undefined): Address | null =>
  code?.length === 48 && code.startsWith(DELEGATION_PREFIX) ? addressFromHex(`0x${code.slice(8)}`) : null
