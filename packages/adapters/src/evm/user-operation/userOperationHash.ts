import { type Hash32, HexBytes } from "@countersign/core/primitives"
import type { TypedData } from "@countersign/core/signing"
import type { UserOperation } from "@countersign/core/user-operations"
import { encodeAbiParameters, hashTypedData, keccak256, parseAbiParameters } from "viem"
import { hash32FromHex, hex } from "../hex.ts"
import { hashedInitCode, packUserOperation } from "./packing.ts"

const unsigned = HexBytes.make("0x")

/** EIP-712 `PackedUserOperation` of EntryPoint 0.8: its digest is the operation's hash. */
export const packedUserOperationTypedData = (operation: UserOperation): TypedData => {
  const packed = packUserOperation(operation, unsigned)
  return {
    domain: { name: "ERC4337", version: "1", chainId: operation.chainId, verifyingContract: operation.entryPoint },
    types: {
      PackedUserOperation: [
        { name: "sender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "initCode", type: "bytes" },
        { name: "callData", type: "bytes" },
        { name: "accountGasLimits", type: "bytes32" },
        { name: "preVerificationGas", type: "uint256" },
        { name: "gasFees", type: "bytes32" },
        { name: "paymasterAndData", type: "bytes" }
      ]
    },
    primaryType: "PackedUserOperation",
    message: {
      sender: packed.sender,
      nonce: packed.nonce.toString(),
      initCode: hashedInitCode(operation),
      callData: packed.callData,
      accountGasLimits: packed.accountGasLimits,
      preVerificationGas: packed.preVerificationGas.toString(),
      gasFees: packed.gasFees,
      paymasterAndData: packed.paymasterAndData
    }
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

/** ERC-4337 of EntryPoint 0.7: keccak256(abi.encode(keccak256(packed operation), entryPoint, chainId)). */
const hash07 = (operation: UserOperation): Hash32 => {
  const packed = packUserOperation(operation, unsigned)
  const inner = keccak256(
    encodeAbiParameters(parseAbiParameters("address, uint256, bytes32, bytes32, bytes32, uint256, bytes32, bytes32"), [
      packed.sender,
      packed.nonce,
      keccak256(hashedInitCode(operation)),
      keccak256(packed.callData),
      packed.accountGasLimits,
      packed.preVerificationGas,
      packed.gasFees,
      keccak256(packed.paymasterAndData)
    ])
  )
  return hash32FromHex(
    keccak256(
      encodeAbiParameters(parseAbiParameters("bytes32, address, uint256"), [
        inner,
        hex(operation.entryPoint),
        BigInt(operation.chainId)
      ])
    )
  )
}

/** `userOpHash`, equal to the EntryPoint's `getUserOpHash`. */
export const userOperationHash = (operation: UserOperation): Hash32 =>
  operation.entryPointVersion === "0.7" ? hash07(operation) : typedDataDigest(packedUserOperationTypedData(operation))
