import { type AbiValue, codec } from "./abi.ts"
import { address, type Bytes, bytes, concat, keccak, numberBytes, numberIn, parseInteger, sizeOf } from "./bytes.ts"
import { safe } from "./contracts.ts"
import type { SignedOperation } from "./shapes.ts"
import { type TypedData, typedDataOf } from "./typedData.ts"

/** A user operation of a quote. Nonce, gas and fees are bigints. */
export interface Operation {
  readonly chainId: number
  readonly entryPoint: Bytes
  readonly sender: Bytes
  readonly nonce: bigint
  readonly factory: Bytes | null
  readonly factoryData: Bytes
  readonly callData: Bytes
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly paymaster: {
    readonly address: Bytes
    readonly verificationGasLimit: bigint
    readonly postOpGasLimit: bigint
    readonly data: Bytes
  } | null
  readonly validUntil: number
}

export const readOperation = (signedOperation: SignedOperation): Operation => ({
  chainId: Number(parseInteger(signedOperation.chainId)),
  entryPoint: address(signedOperation.entryPoint),
  sender: address(signedOperation.sender),
  nonce: parseInteger(signedOperation.nonce),
  factory: signedOperation.factory === null ? null : bytes(signedOperation.factory),
  factoryData: bytes(signedOperation.factoryData ?? "0x"),
  callData: bytes(signedOperation.callData),
  callGasLimit: parseInteger(signedOperation.callGasLimit),
  verificationGasLimit: parseInteger(signedOperation.verificationGasLimit),
  preVerificationGas: parseInteger(signedOperation.preVerificationGas),
  maxFeePerGas: parseInteger(signedOperation.maxFeePerGas),
  maxPriorityFeePerGas: parseInteger(signedOperation.maxPriorityFeePerGas),
  paymaster:
    signedOperation.paymaster === null
      ? null
      : {
          address: address(signedOperation.paymaster),
          verificationGasLimit: parseInteger(signedOperation.paymasterVerificationGasLimit),
          postOpGasLimit: parseInteger(signedOperation.paymasterPostOpGasLimit),
          data: bytes(signedOperation.paymasterData)
        },
  validUntil: Number(parseInteger(signedOperation.validUntil ?? 0))
})

/** Returns the maximum cost that the EntryPoint can charge for the operation, in wei. */
export const maxGasCost = (operation: Operation): bigint =>
  (operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    (operation.paymaster?.verificationGasLimit ?? 0n) +
    (operation.paymaster?.postOpGasLimit ?? 0n)) *
  operation.maxFeePerGas

/**
 * Returns the init code. For an EIP-7702 account the delegate replaces the factory (EntryPoint 0.8, `Eip7702Support`).
 */
const initCodeOf = ({ factory, factoryData }: Operation, delegate: Bytes | null): Bytes =>
  factory === null ? "0x" : concat(factory === "0x7702" && delegate !== null ? delegate : factory, factoryData)

const paymasterAndDataOf = ({ paymaster }: Operation): Bytes =>
  paymaster === null
    ? "0x"
    : concat(
        paymaster.address,
        numberBytes(paymaster.verificationGasLimit, 16),
        numberBytes(paymaster.postOpGasLimit, 16),
        paymaster.data
      )

const pair = (high: bigint, low: bigint): Bytes => concat(numberBytes(high, 16), numberBytes(low, 16))

/**
 * Computes the operation's hash like EntryPoint 0.7: `UserOperationLib.encode`, hashed with the EntryPoint and the
 * chain id.
 */
export const hash07 = (operation: Operation): Bytes => {
  const word = (data: Bytes): AbiValue => numberIn(data)
  const { encode } = codec("address,uint256,uint256,uint256,uint256,uint256,uint256,uint256")
  const encodedOperation = encode(
    operation.sender,
    operation.nonce,
    word(keccak(initCodeOf(operation, null))),
    word(keccak(operation.callData)),
    word(pair(operation.verificationGasLimit, operation.callGasLimit)),
    operation.preVerificationGas,
    word(pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas)),
    word(keccak(paymasterAndDataOf(operation)))
  )
  return keccak(
    codec("uint256,address,uint256").encode(
      word(keccak(encodedOperation)),
      operation.entryPoint,
      BigInt(operation.chainId)
    )
  )
}

/** Builds the EIP-712 `PackedUserOperation` of EntryPoint 0.8. Its EIP-712 digest is the operation's hash. */
export const packedTypedData = (operation: Operation, delegate: Bytes | null): TypedData =>
  typedDataOf(
    { name: "ERC4337", version: "1", chainId: operation.chainId, verifyingContract: operation.entryPoint },
    "PackedUserOperation",
    {
      sender: ["address", operation.sender],
      nonce: ["uint256", operation.nonce],
      initCode: ["bytes", initCodeOf(operation, delegate)],
      callData: ["bytes", operation.callData],
      accountGasLimits: ["bytes32", pair(operation.verificationGasLimit, operation.callGasLimit)],
      preVerificationGas: ["uint256", operation.preVerificationGas],
      gasFees: ["bytes32", pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas)],
      paymasterAndData: ["bytes", paymasterAndDataOf(operation)]
    }
  )

/** Builds the EIP-712 `SafeOp` of Safe4337Module 0.3.0. */
export const safeOpTypedData = (operation: Operation): TypedData =>
  typedDataOf({ chainId: operation.chainId, verifyingContract: safe.module }, "SafeOp", {
    safe: ["address", operation.sender],
    nonce: ["uint256", operation.nonce],
    initCode: ["bytes", initCodeOf(operation, null)],
    callData: ["bytes", operation.callData],
    verificationGasLimit: ["uint128", operation.verificationGasLimit],
    callGasLimit: ["uint128", operation.callGasLimit],
    preVerificationGas: ["uint256", operation.preVerificationGas],
    maxPriorityFeePerGas: ["uint128", operation.maxPriorityFeePerGas],
    maxFeePerGas: ["uint128", operation.maxFeePerGas],
    paymasterAndData: ["bytes", paymasterAndDataOf(operation)],
    validAfter: ["uint48", 0],
    validUntil: ["uint48", operation.validUntil],
    entryPoint: ["address", operation.entryPoint]
  })

const rlpNumber = (value: number): Bytes => {
  if (value === 0) return "0x80"
  const digits = value.toString(16)
  const data: Bytes = `0x${digits.padStart(digits.length + (digits.length % 2), "0")}`
  return value < 128 ? data : concat(numberBytes(128n + BigInt(sizeOf(data)), 1), data)
}

/** Computes the hash of an EIP-7702 authorization: keccak256(0x05 ‖ rlp([chainId, address, nonce])). */
export const authorizationHash = (chainId: number, delegate: Bytes, nonce: number): Bytes => {
  const items = concat(rlpNumber(chainId), "0x94", delegate, rlpNumber(nonce))
  return keccak(concat("0x05", numberBytes(192n + BigInt(sizeOf(items)), 1), items))
}
