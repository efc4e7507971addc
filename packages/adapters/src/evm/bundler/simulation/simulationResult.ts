import type { HexBytes } from "@countersign/core/primitives"
import type { GasLimits, RevertReason, Simulation, UserOperation } from "@countersign/core/user-operations"
import { revertReasonWithoutData } from "../../revertReason.ts"
import { failureReason } from "./failureReason.ts"
import {
  limitsFrom,
  type MeasuredGas,
  preVerificationGasOf,
  unmeasuredCall,
  unmeasuredVerification
} from "./gasLimits.ts"
import { gasOf, type SimulationTrace } from "./simulationTrace.ts"
import { transfersInTrace } from "./transfers.ts"
import { validationRefusal } from "./validity.ts"

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const paymasterLimits = ({ paymaster }: UserOperation) => ({
  paymasterVerificationGasLimit: paymaster?.verificationGasLimit ?? 0n,
  paymasterPostOpGasLimit: paymaster?.postOpGasLimit ?? 0n
})

/** For an operation of which nothing could be found out. */
export const unmeasuredLimits = (operation: UserOperation, signature: HexBytes): GasLimits => ({
  callGasLimit: unmeasuredCall,
  verificationGasLimit: unmeasuredVerification[operation.factory === null ? "deployed" : "deploying"],
  preVerificationGas: preVerificationGasOf(operation, signature),
  ...paymasterLimits(operation)
})

/** An operation that was not run, for the reason given. */
export const unmeasuredSimulation = (
  operation: UserOperation,
  signature: HexBytes,
  revert: RevertReason
): Simulation => ({ limits: unmeasuredLimits(operation, signature), gasUsed: 0n, revert, transfers: [] })

/** The first of: refused by the EntryPoint, failed calls, failed payment. A failed call explains a failed payment. */
const revertOf = ({ top, execution, inner }: SimulationTrace): RevertReason | null => {
  const failedFrame = [top, execution, inner].find((frame) => frame?.error !== undefined)
  return failedFrame === undefined ? null : failureReason(failedFrame)
}

const transfersOf = (operation: UserOperation, trace: SimulationTrace): Simulation["transfers"] =>
  transfersInTrace(operation.chainId, trace.top, operation.entryPoint)

/** `run` is the operation as it ran, with the limits it was granted. */
export const measuredGas = (run: UserOperation, trace: SimulationTrace): MeasuredGas => {
  const { result, execution, paymasterValidation, postOp } = trace
  return {
    verification:
      result === null
        ? unmeasuredVerification[run.factory === null ? "deployed" : "deploying"]
        : result.preOpGas - run.preVerificationGas - gasOf(paymasterValidation),
    call:
      execution === undefined || execution.error !== undefined
        ? max(gasOf(execution), unmeasuredCall)
        : gasOf(execution),
    paymasterVerification: gasOf(paymasterValidation),
    paymasterPostOp: gasOf(postOp)
  }
}

/**
 * The account's payment to the EntryPoint, which a simulation with an ample deposit skips: the coin's transfer, and the
 * deposit's slot when it was empty.
 */
const FIRST_PREFUND_GAS = 27_000n

/** Limits and gas of an operation that had no limits, from a run with ample ones. */
export const estimateFrom = (
  operation: UserOperation,
  run: UserOperation,
  trace: SimulationTrace,
  preVerificationGas: bigint
): Simulation => {
  const gas = measuredGas(run, trace)
  const limits = limitsFrom(gas, preVerificationGas, operation.paymaster === null)
  const revert = revertOf(trace)
  const paymaster = operation.paymaster
  return {
    limits:
      paymaster === null
        ? limits
        : {
            ...limits,
            // A part that did not run keeps the limit that it came with.
            paymasterVerificationGasLimit: limits.paymasterVerificationGasLimit || paymaster.verificationGasLimit,
            paymasterPostOpGasLimit: limits.paymasterPostOpGasLimit || paymaster.postOpGasLimit
          },
    // A tenth of the unused call gas is charged, so the limits are part of the price.
    gasUsed:
      preVerificationGas +
      gas.verification +
      gas.call +
      gas.paymasterVerification +
      gas.paymasterPostOp +
      (limits.callGasLimit - gas.call) / 10n +
      (paymaster === null && operation.factory !== null ? FIRST_PREFUND_GAS : 0n),
    revert,
    transfers: revert === null ? transfersOf(operation, trace) : []
  }
}

/** The run of an operation whose limits are final. `now` is the time of the latest block in unix seconds. */
export const finalSimulation = (operation: UserOperation, trace: SimulationTrace, now: bigint): Simulation => {
  const refusal = trace.result === null ? null : validationRefusal(trace.result, now)
  const revert = refusal === null ? revertOf(trace) : revertReasonWithoutData(refusal)
  return {
    limits: {
      callGasLimit: operation.callGasLimit,
      verificationGasLimit: operation.verificationGasLimit,
      preVerificationGas: operation.preVerificationGas,
      ...paymasterLimits(operation)
    },
    gasUsed: trace.result?.actualGasUsed ?? 0n,
    revert,
    transfers: revert === null ? transfersOf(operation, trace) : []
  }
}
