import { type Hash32, HexBytes } from "@countersign/core/primitives"
import type { TypedData } from "@countersign/core/signing"
import type { UserOperation } from "@countersign/core/user-operations"
import { hashTypedData } from "viem"
import { getUserOperationHash, getUserOperationTypedData } from "viem/account-abstraction"
import { hash32FromHex, hex } from "../hex.ts"
import { viemUserOperation } from "./viemUserOperation.ts"

const hashParameters = (operation: UserOperation) => ({
  chainId: operation.chainId,
  entryPointAddress: hex(operation.entryPoint),
  userOperation: viemUserOperation(operation, HexBytes.make("0x"))
})

/** EIP-712 `PackedUserOperation` of EntryPoint 0.8: its digest is the operation's hash. */
export const packedUserOperationTypedData = (operation: UserOperation): TypedData => {
  const { message, types } = getUserOperationTypedData(hashParameters(operation))
  const fields = types.PackedUserOperation.map(({ name }) => [name, String(message[name])] as const)
  return {
    domain: { name: "ERC4337", version: "1", chainId: operation.chainId, verifyingContract: operation.entryPoint },
    types,
    primaryType: "PackedUserOperation",
    message: Object.fromEntries(fields)
  }
}

/** The digest that a wallet signs for typed data (EIP-712). */
export const typedDataDigest = (typedData: TypedData): Hash32 =>
  hash32FromHex(
    hashTypedData({
      domain: { ...typedData.domain, verifyingContract: hex(typedData.domain.verifyingContract) },
      types: typedData.types,
      primaryType: typedData.primaryType,
      message: typedData.message
    })
  )

/** `userOpHash`, equal to the EntryPoint's `getUserOpHash`. */
export const userOperationHash = (operation: UserOperation): Hash32 =>
  hash32FromHex(getUserOperationHash({ ...hashParameters(operation), entryPointVersion: operation.entryPointVersion }))
