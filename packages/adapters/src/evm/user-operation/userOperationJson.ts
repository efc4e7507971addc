import type { HexBytes } from "@countersign/core/primitives"
import type { UserOperation } from "@countersign/core/user-operations"
import { type Hex, numberToHex } from "viem"
import { parseEcdsaSignature } from "../accounts/signature.ts"
import { hex } from "../hex.ts"

/** An EIP-7702 tuple with its signature, as ERC-7769 sends it beside an operation. */
export interface Eip7702AuthJson {
  readonly chainId: Hex
  readonly address: Hex
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

/** A user operation of EntryPoint 0.7 and 0.8 on the wire of ERC-7769. */
export interface UserOperationJson {
  readonly sender: Hex
  readonly nonce: Hex
  readonly factory?: Hex
  readonly factoryData?: Hex
  readonly callData: Hex
  readonly callGasLimit: Hex
  readonly verificationGasLimit: Hex
  readonly preVerificationGas: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
  readonly paymaster?: Hex
  readonly paymasterVerificationGasLimit?: Hex
  readonly paymasterPostOpGasLimit?: Hex
  readonly paymasterData?: Hex
  readonly signature: Hex
  readonly eip7702Auth?: Eip7702AuthJson
}

/** Stands for the owner's signature of the tuple while it is not there: bundlers estimate with the address alone. */
const UNSIGNED = { yParity: "0x0", r: numberToHex(1n, { size: 32 }), s: numberToHex(1n, { size: 32 }) } as const

const eip7702Auth = (operation: UserOperation, signature: HexBytes | null): { eip7702Auth?: Eip7702AuthJson } => {
  const { authorization } = operation
  if (authorization === null) return {}
  const parsed = signature === null ? null : parseEcdsaSignature(signature)
  return {
    eip7702Auth: {
      chainId: numberToHex(authorization.chainId),
      address: hex(authorization.address),
      nonce: numberToHex(authorization.nonce),
      ...(parsed === null
        ? UNSIGNED
        : {
            yParity: numberToHex(parsed.yParity),
            r: numberToHex(parsed.r, { size: 32 }),
            s: numberToHex(parsed.s, { size: 32 })
          })
    }
  }
}

export const userOperationJson = (
  operation: UserOperation,
  signature: HexBytes,
  authorizationSignature: HexBytes | null
): UserOperationJson => ({
  sender: hex(operation.sender),
  nonce: numberToHex(operation.nonce),
  ...(operation.factory === null
    ? {}
    : {
        factory: hex(operation.factory),
        factoryData: operation.factoryData === null ? "0x" : hex(operation.factoryData)
      }),
  callData: hex(operation.callData),
  callGasLimit: numberToHex(operation.callGasLimit),
  verificationGasLimit: numberToHex(operation.verificationGasLimit),
  preVerificationGas: numberToHex(operation.preVerificationGas),
  maxFeePerGas: numberToHex(operation.maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
  ...(operation.paymaster === null
    ? {}
    : {
        paymaster: hex(operation.paymaster.address),
        paymasterVerificationGasLimit: numberToHex(operation.paymaster.verificationGasLimit),
        paymasterPostOpGasLimit: numberToHex(operation.paymaster.postOpGasLimit),
        paymasterData: hex(operation.paymaster.data)
      }),
  signature: hex(signature),
  ...eip7702Auth(operation, authorizationSignature)
})
