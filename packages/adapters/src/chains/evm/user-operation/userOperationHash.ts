import { type Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { TypedData } from "@countersign/core/foundation/signing"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { concat, type Hex, hashTypedData, keccak256, stringToHex } from "viem"
import { getUserOperationTypedData } from "viem/account-abstraction"
import { hash32FromHex } from "../hex.ts"
import { encodeWords, hashBytes } from "../words.ts"
import { hashedInitCode, packUserOperation } from "./packing.ts"
import { viemUserOperation } from "./viemUserOperation.ts"

const hashParameters = (operation: UserOperation) => ({
  chainId: operation.chainId,
  entryPointAddress: operation.entryPoint,
  userOperation: viemUserOperation(operation, HexBytes.make("0x"))
})

/** Builds EIP-712 `PackedUserOperation` of EntryPoint 0.8. Its digest is the operation's hash. */
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

/** Computes the digest that a wallet signs for typed data (EIP-712). */
export const typedDataDigest = (typedData: TypedData): Hash32 =>
  hash32FromHex(
    hashTypedData({
      domain: { ...typedData.domain, verifyingContract: typedData.domain.verifyingContract },
      types: typedData.types,
      primaryType: typedData.primaryType,
      message: typedData.message
    })
  )

const hashText = (text: string): Hex => keccak256(stringToHex(text))

const DOMAIN_TYPE = hashText("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")
const DOMAIN_NAME = hashText("ERC4337")
const DOMAIN_VERSION = hashText("1")
const OPERATION_TYPE = hashText(
  "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits," +
    "uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)"
)

/** Encodes the fields in the order of both versions. Fields of dynamic length are hashed. */
const hashedFields = (operation: UserOperation, initCode: Hex): Hex => {
  const packedOperation = packUserOperation(operation, HexBytes.make("0x"))
  return encodeWords(
    packedOperation.sender,
    packedOperation.nonce,
    hashBytes(initCode),
    hashBytes(packedOperation.callData),
    packedOperation.accountGasLimits,
    packedOperation.preVerificationGas,
    packedOperation.gasFees,
    keccak256(packedOperation.paymasterAndData)
  )
}

/** Cache of hashes. Operations are immutable, and a quote needs the hash several times. */
const hashes = new WeakMap<UserOperation, Hash32>()

/** Computes the EntryPoint's `getUserOpHash`: a custom hash for version 0.7, an EIP-712 digest for 0.8. */
export const userOperationHash = (operation: UserOperation): Hash32 => {
  const cachedHash = hashes.get(operation)
  if (cachedHash !== undefined) return cachedHash
  const hash = hash32FromHex(hashOf(operation))
  hashes.set(operation, hash)
  return hash
}

const hashOf = (operation: UserOperation): Hex => {
  const { entryPoint } = operation
  const chainId = BigInt(operation.chainId)
  if (operation.entryPointVersion === "0.7") {
    const { initCode } = packUserOperation(operation, HexBytes.make("0x"))
    return keccak256(encodeWords(keccak256(hashedFields(operation, initCode)), entryPoint, chainId))
  }
  const domain = keccak256(encodeWords(DOMAIN_TYPE, DOMAIN_NAME, DOMAIN_VERSION, chainId, entryPoint))
  const struct = keccak256(concat([OPERATION_TYPE, hashedFields(operation, hashedInitCode(operation))]))
  return keccak256(concat(["0x1901", domain, struct]))
}
