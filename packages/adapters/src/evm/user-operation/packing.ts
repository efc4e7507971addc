import type { HexBytes } from "@countersign/core/primitives"
import type { UserOperation } from "@countersign/core/user-operations"
import { concat, type Hex, numberToHex } from "viem"
import { hex } from "../hex.ts"

/** ERC-4337's `PackedUserOperation` of EntryPoint 0.7 and later. */
export interface PackedUserOperation {
  readonly sender: Hex
  readonly nonce: bigint
  readonly initCode: Hex
  readonly callData: Hex
  readonly accountGasLimits: Hex
  readonly preVerificationGas: bigint
  readonly gasFees: Hex
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

/** The EntryPoint's mark for an EIP-7702 account in `initCode`: 0x7702, padded to an address. */
const EIP7702_MARKER: Hex = "0x7702000000000000000000000000000000000000"

const uint128Pair = (high: bigint, low: bigint): Hex =>
  concat([numberToHex(high, { size: 16 }), numberToHex(low, { size: 16 })])

const initCodeOf = (operation: UserOperation): Hex => {
  if (operation.factory === null) return "0x"
  const factory = operation.factory === "0x7702" ? EIP7702_MARKER : hex(operation.factory)
  return operation.factoryData === null ? factory : concat([factory, hex(operation.factoryData)])
}

/** What the EntryPoint hashes in place of an EIP-7702 `initCode`: the delegate stands where the mark is. */
export const hashedInitCode = (operation: UserOperation): Hex =>
  operation.factory === "0x7702" && operation.authorization !== null
    ? concat([hex(operation.authorization.address), operation.factoryData === null ? "0x" : hex(operation.factoryData)])
    : initCodeOf(operation)

export const paymasterAndDataOf = ({ paymaster }: UserOperation): Hex =>
  paymaster === null
    ? "0x"
    : concat([
        hex(paymaster.address),
        uint128Pair(paymaster.verificationGasLimit, paymaster.postOpGasLimit),
        hex(paymaster.data)
      ])

/** The operation as the EntryPoint takes it. */
export const packUserOperation = (operation: UserOperation, signature: HexBytes): PackedUserOperation => ({
  sender: hex(operation.sender),
  nonce: operation.nonce,
  initCode: initCodeOf(operation),
  callData: hex(operation.callData),
  accountGasLimits: uint128Pair(operation.verificationGasLimit, operation.callGasLimit),
  preVerificationGas: operation.preVerificationGas,
  gasFees: uint128Pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
  paymasterAndData: paymasterAndDataOf(operation),
  signature: hex(signature)
})
