import { HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { type Hex, pad } from "viem"
import { getInitCode, type PackedUserOperation, toPackedUserOperation } from "viem/account-abstraction"
import { viemUserOperation } from "./viemUserOperation.ts"

const emptySignature = HexBytes.make("0x")

/**
 * Pads the EIP-7702 marker 0x7702 to an address. The EntryPoint reads an address, but viem packs only the two bytes.
 */
const withFactoryAsAddress = <A extends { readonly factory?: Hex | undefined }>(operation: A): A =>
  operation.factory === "0x7702"
    ? { ...operation, factory: pad(operation.factory, { dir: "right", size: 20 }) }
    : operation

/** Converts the operation to the EntryPoint's format. */
export const packUserOperation = (operation: UserOperation, signature: HexBytes): PackedUserOperation =>
  toPackedUserOperation(withFactoryAsAddress(viemUserOperation(operation, signature)))

/**
 * Returns the `initCode` that the EntryPoint hashes. For an EIP-7702 account it contains the delegate's address instead
 * of the marker.
 */
export const hashedInitCode = (operation: UserOperation): Hex =>
  getInitCode(viemUserOperation(operation, emptySignature), { forHash: true })

export const paymasterAndDataOf = (operation: UserOperation): Hex =>
  packUserOperation(operation, emptySignature).paymasterAndData
