import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { numberToHex, type SignedAuthorization } from "viem"
import type { UserOperation as ViemUserOperation } from "viem/account-abstraction"
import { parseEcdsaSignature } from "../accounts/signature.ts"

/** Placeholder for a missing signature of the EIP-7702 tuple. Bundlers estimate gas from the tuple's address only. */
const PLACEHOLDER = { r: 1n, s: 1n, yParity: 0 } as const

const authorizationOf = (
  { address, chainId, nonce }: NonNullable<UserOperation["authorization"]>,
  signature: HexBytes | null
): SignedAuthorization => {
  const { r, s, yParity } = (signature === null ? null : parseEcdsaSignature(signature)) ?? PLACEHOLDER
  return {
    address,
    chainId,
    nonce,
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity
  }
}

/** Converts the operation to viem's format, which omits fields that are null in the core. */
export const viemUserOperation = (
  operation: UserOperation,
  signature: HexBytes,
  authorizationSignature: HexBytes | null = null
): ViemUserOperation<"0.8"> => ({
  sender: operation.sender,
  nonce: operation.nonce,
  ...(operation.factory === null
    ? {}
    : {
        factory: operation.factory,
        factoryData: operation.factoryData === null ? "0x" : operation.factoryData
      }),
  callData: operation.callData,
  callGasLimit: operation.callGasLimit,
  verificationGasLimit: operation.verificationGasLimit,
  preVerificationGas: operation.preVerificationGas,
  maxFeePerGas: operation.maxFeePerGas,
  maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
  ...(operation.paymaster === null
    ? {}
    : {
        paymaster: operation.paymaster.address,
        paymasterVerificationGasLimit: operation.paymaster.verificationGasLimit,
        paymasterPostOpGasLimit: operation.paymaster.postOpGasLimit,
        paymasterData: operation.paymaster.data
      }),
  signature,
  ...(operation.authorization === null
    ? {}
    : { authorization: authorizationOf(operation.authorization, authorizationSignature) })
})
