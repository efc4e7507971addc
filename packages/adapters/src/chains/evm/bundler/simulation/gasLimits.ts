import type { HexBytes } from "@countersign/core/foundation/primitives"
import type { GasLimits, UserOperation } from "@countersign/core/operations/user-operations"
import { type Hex, hexToBytes, size, zeroAddress } from "viem"
import { entryPointAbi } from "../../abi/entryPoint.ts"
import { encoderOf } from "../../encoderOf.ts"
import { packUserOperation } from "../../user-operation/packing.ts"

/** The gas used in a run, separated by the limits that bound it. */
export interface MeasuredGas {
  readonly verification: bigint
  readonly call: bigint
  readonly paymasterVerification: bigint
  readonly paymasterPostOp: bigint
}

/**
 * The limits for simulating an operation without limits. The call limit covers almost all operations but is not larger,
 * because a contract may make calls until its gas is used up, and the trace grows with them. EntryPoints also charge a
 * tenth of the unused gas. In the simulation a paymaster charges the token for it, which could exceed the allowance.
 */
export const generousLimits: MeasuredGas = {
  verification: 3_000_000n,
  call: 2_000_000n,
  paymasterVerification: 300_000n,
  paymasterPostOp: 200_000n
}

/** For operations whose calls exceed the first limit. */
export const MAX_CALL_GAS = 10_000_000n

/** Used if a simulation reverts early, because it then does not show the gas of a successful run. */
export const unmeasuredCall = 600_000n
export const unmeasuredVerification = { deploying: 500_000n, deployed: 150_000n } as const

const addMargin = (gas: bigint, percent: bigint, constant: bigint): bigint =>
  gas === 0n ? 0n : gas + (gas * percent) / 100n + constant

/**
 * Limits with a margin for changes between simulation and inclusion: one more tick to cross, a cold slot, and the 1/64
 * of gas that each nested call retains. The constants also cover the EntryPoint's own work within each limit, which the
 * tracer does not attribute to the frame. They are small, because a tenth of unused gas is charged. `prefundIsMissing`:
 * the account will pay the EntryPoint, but did not in this simulation.
 */
export const limitsFrom = (gas: MeasuredGas, preVerificationGas: bigint, prefundIsMissing: boolean): GasLimits => ({
  verificationGasLimit: addMargin(gas.verification, 10n, prefundIsMissing ? 45_000n : 5_000n),
  callGasLimit: addMargin(gas.call, 15n, 20_000n),
  paymasterVerificationGasLimit: addMargin(gas.paymasterVerification, 15n, 12_000n),
  paymasterPostOpGasLimit: addMargin(gas.paymasterPostOp, 15n, 12_000n),
  preVerificationGas
})

const TRANSACTION = 21_000n
/** Gas of `handleOps` for an operation outside of the measured parts: loops, events, the payment to the beneficiary. */
const ENTRY_POINT_OVERHEAD = 18_300n
/** Gas of `handleOps` outside of the measured parts, per word of the call data. */
const ENTRY_POINT_OVERHEAD_PER_WORD = 4n
/** EIP-7702: PER_EMPTY_ACCOUNT_COST, charged per tuple. */
const AUTHORIZATION = 25_000n

const calldataGas = (data: Hex): bigint =>
  BigInt(hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0))

/** A placeholder without zero bytes for unknown fields. */
const FILLER = 2n ** 32n - 1n

export interface SignedUserOperation {
  readonly operation: UserOperation
  /** In the account's format. */
  readonly signature: HexBytes
}

const entryPointData = encoderOf(entryPointAbi)

/** Call data of `EntryPoint.handleOps`. */
export const handleOpsData = (bundle: ReadonlyArray<SignedUserOperation>, beneficiary: Hex = zeroAddress): Hex =>
  entryPointData("handleOps", [
    bundle.map(({ operation, signature }) => packUserOperation(operation, signature)),
    beneficiary
  ])

/**
 * The bundler's gas for an operation beyond the EntryPoint's measurement, in a bundle of one. EIP-7623's floor for call
 * data never applies, because an operation executes more gas than the floor charges for its bytes.
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
