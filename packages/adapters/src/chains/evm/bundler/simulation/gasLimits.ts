import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { GasLimits, UserOperation } from "@countersign/core/operations/user-operations"
import { type Hex, hexToBytes, size, zeroAddress } from "viem"
import { entryPointAbi } from "../../abi/entryPoint.ts"
import { encoderOf } from "../../encoderOf.ts"
import { packUserOperation } from "../../user-operation/packing.ts"

/** The gas that a simulation used, grouped by the limit that applies to it. */
export interface MeasuredGas {
  readonly verification: bigint
  readonly call: bigint
  readonly paymasterVerification: bigint
  readonly paymasterPostOp: bigint
}

/**
 * Limits for simulating an operation whose limits are not known yet. The call limit covers almost all operations. It is
 * not larger, because a contract may make calls until its gas is used up, and the trace grows with them. EntryPoints
 * also charge 10 % of the unused gas, and in the simulation a paymaster charges the token for it, which could exceed
 * the allowance.
 */
export const generousLimits: MeasuredGas = {
  verification: 3_000_000n,
  call: 2_000_000n,
  paymasterVerification: 300_000n,
  paymasterPostOp: 200_000n
}

/** Call gas limit for operations that need more than the first limit. */
export const MAX_CALL_GAS = 10_000_000n

/** Call gas that is assumed if a simulation reverts early and so does not show the gas of a successful run. */
export const unmeasuredCall = 600_000n
export const unmeasuredVerification = { deploying: 500_000n, deployed: 150_000n } as const

const addMargin = (gas: bigint, percent: bigint, constant: bigint): bigint =>
  gas === 0n ? 0n : gas + (gas * percent) / 100n + constant

/**
 * Computes limits with a margin for changes between simulation and inclusion: one more crossed tick, a cold slot, and
 * the 1/64 of gas that each nested call retains. The constants also cover the EntryPoint's own work within each limit,
 * which the tracer does not attribute to the frame. The margins are small, because 10 % of unused gas is charged.
 * `prefundIsMissing` means that the account will pay the EntryPoint but did not in this simulation.
 */
export const limitsFrom = (gas: MeasuredGas, preVerificationGas: bigint, prefundIsMissing: boolean): GasLimits => ({
  verificationGasLimit: addMargin(gas.verification, 10n, prefundIsMissing ? 45_000n : 5_000n),
  callGasLimit: addMargin(gas.call, 15n, 20_000n),
  paymasterVerificationGasLimit: addMargin(gas.paymasterVerification, 15n, 12_000n),
  paymasterPostOpGasLimit: addMargin(gas.paymasterPostOp, 15n, 12_000n),
  preVerificationGas
})

const TRANSACTION = 21_000n
/** Gas of `handleOps` that no limit measures: loops, events, and the payment to the beneficiary. */
const ENTRY_POINT_OVERHEAD = 18_300n
/** Unmeasured gas of `handleOps` per word of the calldata. */
const ENTRY_POINT_OVERHEAD_PER_WORD = 4n
/** EIP-7702: PER_EMPTY_ACCOUNT_COST, charged per tuple. */
const AUTHORIZATION = 25_000n

const calldataGas = (data: Hex): bigint =>
  BigInt(hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0))

/** Value without zero bytes for unknown fields, so that their calldata cost is not underestimated. */
const FILLER = 2n ** 32n - 1n

export interface SignedUserOperation {
  readonly operation: UserOperation
  /** Signature in the account's format. */
  readonly signature: HexBytes
}

const entryPointData = encoderOf(entryPointAbi)

/** Encodes the calldata of `EntryPoint.handleOps`. */
export const handleOpsData = (bundle: ReadonlyArray<SignedUserOperation>, beneficiary: Hex = zeroAddress): Hex =>
  entryPointData("handleOps", [
    bundle.map(({ operation, signature }) => packUserOperation(operation, signature)),
    beneficiary
  ])

/**
 * Computes the gas that the bundler spends on an operation beyond the EntryPoint's measurement, in a bundle of one.
 * Excludes EIP-7623's calldata floor, because an operation usually executes more gas than the floor charges for its
 * bytes.
 */
export const preVerificationGasOf = (operation: UserOperation, signature: HexBytes): bigint => {
  const filledOperation: UserOperation = {
    ...operation,
    callGasLimit: FILLER,
    verificationGasLimit: FILLER,
    preVerificationGas: FILLER,
    maxFeePerGas: FILLER,
    maxPriorityFeePerGas: FILLER
  }
  const beneficiary = "0xffffffffffffffffffffffffffffffffffffffff"
  const data = handleOpsData([{ operation: filledOperation, signature }], beneficiary)
  return (
    TRANSACTION +
    ENTRY_POINT_OVERHEAD +
    ENTRY_POINT_OVERHEAD_PER_WORD * BigInt(Math.ceil(size(data) / 32)) +
    calldataGas(data) +
    (operation.authorization === null ? 0n : AUTHORIZATION)
  )
}
