import { chainOf } from "@countersign/core/foundation/chains"
import { type Address, type HexBytes, maxBigInt } from "@countersign/core/foundation/primitives"
import type { GasLimits, RevertReason, Simulation, UserOperation } from "@countersign/core/operations/user-operations"
import { contractName } from "../../contractNames.ts"
import { revertReasonWithoutData } from "../../revertReason.ts"
import { allowanceChangesInTrace } from "./allowanceChanges.ts"
import { callsEntryPoint } from "./entryPointCalls.ts"
import { failedContract } from "./failedContract.ts"
import { failureReason } from "./failureReason.ts"
import {
  limitsFrom,
  type MeasuredGas,
  preVerificationGasOf,
  unmeasuredCall,
  unmeasuredVerification
} from "./gasLimits.ts"
import { type ExecutionResult, gasOf, type SimulationTrace } from "./simulationTrace.ts"
import { netPayment, transfersInTrace } from "./transfers.ts"
import { validUntilOf } from "./validity.ts"

const paymasterLimits = ({ paymaster }: UserOperation) => ({
  paymasterVerificationGasLimit: paymaster?.verificationGasLimit ?? 0n,
  paymasterPostOpGasLimit: paymaster?.postOpGasLimit ?? 0n
})

/** Returns the limits of an operation for which nothing was measured. */
export const unmeasuredLimits = (operation: UserOperation, signature: HexBytes): GasLimits => ({
  callGasLimit: unmeasuredCall,
  verificationGasLimit: unmeasuredVerification[operation.factory === null ? "deployed" : "deploying"],
  preVerificationGas: preVerificationGasOf(operation, signature),
  ...paymasterLimits(operation)
})

/** Builds the result for an operation that was not simulated, with the reason. */
export const unmeasuredSimulation = (
  operation: UserOperation,
  signature: HexBytes,
  revert: RevertReason
): Simulation => ({
  limits: unmeasuredLimits(operation, signature),
  gasUsed: 0n,
  tokenPaid: null,
  revert,
  validUntil: null,
  transfers: [],
  allowanceChanges: [],
  notSeen: null
})

const ENTRY_POINT_CALLED = "The operation calls an EntryPoint during its execution"

/**
 * Returns the first reason that applies: the operation calls an EntryPoint, the EntryPoint rejected the operation, its
 * calls failed, or its payment failed. A failed call can also cause a failed payment, so it comes first.
 */
const revertOf = (operation: UserOperation, { execution, inner, top, view }: SimulationTrace): RevertReason | null => {
  if (inner?.calls?.some(callsEntryPoint)) return revertReasonWithoutData(ENTRY_POINT_CALLED)
  const failedFrame = [top, execution, inner].find((frame) => frame?.error !== undefined)
  if (failedFrame === undefined) return null
  // If the calls are not visible, it is unknown which contract failed.
  const address = view === "CALLS" ? failedContract(failedFrame) : null
  const reason = failureReason(failedFrame)
  return address === null ? reason : { ...reason, failedAt: { address, name: contractLabelOrNull(operation, address) } }
}

const contractLabelOrNull = ({ chainId, paymaster, sender }: UserOperation, address: Address): string | null =>
  address === sender ? "the wallet" : address === paymaster?.address ? "the paymaster" : contractName(chainId, address)

const transfersOf = (operation: UserOperation, trace: SimulationTrace): Simulation["transfers"] =>
  transfersInTrace(operation.chainId, trace.top, operation.entryPoint)

const allowanceChangesOf = ({ sender }: UserOperation, { allowances, top, view }: SimulationTrace) =>
  view === "CALLS" ? allowanceChangesInTrace(sender, top) : (allowances ?? [])

const unobservedEffects = ({ chainId }: UserOperation, { view }: SimulationTrace): string | null => {
  if (view === "CALLS") return null
  const { name } = chainOf(chainId)
  return view === "LOGS"
    ? `The nodes of ${name} return the events of a simulation but not its calls. The preview omits tokens that are transferred or approved without an event.`
    : `The nodes of ${name} return neither calls nor events of a simulation. The preview has no asset changes and no allowances.`
}

const tokenPaidIn = (
  operation: UserOperation,
  { paymasterValidation, postOp, tokenPaid, view }: SimulationTrace
): bigint | null => {
  if (view !== "CALLS") return tokenPaid ?? null
  const frames = [paymasterValidation, postOp].filter((frame) => frame !== undefined)
  const transfers = frames.flatMap((frame) => transfersInTrace(operation.chainId, frame, operation.entryPoint))
  return netPayment(operation.sender, transfers)?.amount ?? null
}

/** Measures the gas in the trace of `run`, the simulated operation with its limits. */
export const measuredGas = (run: UserOperation, trace: SimulationTrace): MeasuredGas => {
  const { result, execution, paymasterValidation, postOp } = trace
  return {
    verification:
      result === null
        ? unmeasuredVerification[run.factory === null ? "deployed" : "deploying"]
        : result.preOpGas - run.preVerificationGas - gasOf(paymasterValidation),
    call:
      execution === undefined || execution.error !== undefined
        ? maxBigInt(gasOf(execution), unmeasuredCall)
        : gasOf(execution),
    paymasterVerification: gasOf(paymasterValidation),
    paymasterPostOp: gasOf(postOp)
  }
}

/**
 * Gas of the account's payment to the EntryPoint, which a simulation with an ample deposit omits: a native token
 * transfer, and the write of the deposit's slot if it was empty.
 */
const FIRST_PREFUND_GAS = 27_000n

const neededLimits = (
  { paymaster }: UserOperation,
  gas: MeasuredGas,
  preVerificationGas: bigint,
  prefundIsMissing: boolean
): GasLimits => {
  const limits = limitsFrom(gas, preVerificationGas, prefundIsMissing)
  return paymaster === null
    ? limits
    : {
        ...limits,
        // If the paymaster's validation did not run, its limit stays as in the operation.
        paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit || paymaster.verificationGasLimit,
        paymasterPostOpGasLimit: limits.paymasterPostOpGasLimit || paymaster.postOpGasLimit
      }
}

/** Estimates the limits and the gas of an operation without limits, from a simulation with large limits. */
export const estimateFrom = (
  operation: UserOperation,
  run: UserOperation,
  trace: SimulationTrace,
  preVerificationGas: bigint
): Simulation => {
  const gas = measuredGas(run, trace)
  const { paymaster } = operation
  const limits = neededLimits(operation, gas, preVerificationGas, paymaster === null)
  const revert = revertOf(operation, trace)
  return {
    limits,
    // The EntryPoint charges 10 % of the unused call gas, so the limits affect the price.
    gasUsed:
      preVerificationGas +
      gas.verification +
      gas.call +
      gas.paymasterVerification +
      gas.paymasterPostOp +
      (limits.callGasLimit - gas.call) / 10n +
      (paymaster === null && operation.factory !== null ? FIRST_PREFUND_GAS : 0n),
    tokenPaid: null,
    revert,
    validUntil: trace.result === null ? null : validUntilOf(trace.result),
    transfers: revert === null ? transfersOf(operation, trace) : [],
    allowanceChanges: revert === null ? allowanceChangesOf(operation, trace) : [],
    notSeen: unobservedEffects(operation, trace)
  }
}

/**
 * Builds the result for the final operation, with the limits that it would have needed. `refusalOf` returns why the
 * EntryPoint would reject the operation although its simulation ran.
 */
export const finalSimulation = (
  operation: UserOperation,
  trace: SimulationTrace,
  preVerificationGas: bigint,
  refusalOf: (result: ExecutionResult) => string | null
): Simulation => {
  const refusal = trace.result === null ? null : refusalOf(trace.result)
  const revert = refusal === null ? revertOf(operation, trace) : revertReasonWithoutData(refusal)
  return {
    limits: neededLimits(operation, measuredGas(operation, trace), preVerificationGas, false),
    gasUsed: trace.result?.actualGasUsed ?? 0n,
    tokenPaid: tokenPaidIn(operation, trace),
    revert,
    validUntil: trace.result === null ? null : validUntilOf(trace.result),
    transfers: revert === null ? transfersOf(operation, trace) : [],
    allowanceChanges: revert === null ? allowanceChangesOf(operation, trace) : [],
    notSeen: unobservedEffects(operation, trace)
  }
}
