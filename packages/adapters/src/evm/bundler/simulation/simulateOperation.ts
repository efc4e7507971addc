import type { HexBytes } from "@countersign/core/primitives"
import type { GasLimits, RevertReason, Simulation, UserOperation } from "@countersign/core/user-operations"
import type { RpcClients } from "../../RpcClients.ts"
import { revertReasonWithoutData } from "../../revertReason.ts"
import type { CallFrame } from "./CallFrame.ts"
import { failureReason } from "./failureReason.ts"
import {
  generousLimits,
  generousLimitsWithPaymaster,
  handleOpsData,
  limitsFrom,
  type MeasuredGas,
  preVerificationGasOf,
  unmeasuredCall,
  unmeasuredVerification
} from "./gasLimits.ts"
import { l1DataGas } from "./l1DataFee.ts"
import { type EntryPointSimulations, traceCallParameters } from "./simulationRequest.ts"
import { gasOf, readSimulationTrace, type SimulationTrace } from "./simulationTrace.ts"
import { transfersInTrace } from "./transfers.ts"
import { validationRefusal } from "./validity.ts"

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Limits of zero ask for an estimate. */
export const withoutLimits = (operation: UserOperation): boolean =>
  operation.callGasLimit === 0n || operation.verificationGasLimit === 0n

/** Gas prices of zero would skip the code that pays: one wei runs it, and costs nothing. */
const payable = (operation: UserOperation): UserOperation =>
  operation.maxFeePerGas === 0n ? { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } : operation

const granted = (operation: UserOperation, limits: MeasuredGas, preVerificationGas: bigint): UserOperation => ({
  ...payable(operation),
  callGasLimit: limits.call,
  verificationGasLimit: limits.verification,
  preVerificationGas,
  paymaster:
    operation.paymaster === null
      ? null
      : {
          ...operation.paymaster,
          verificationGasLimit: max(limits.paymasterVerification, operation.paymaster.verificationGasLimit),
          postOpGasLimit: max(limits.paymasterPostOp, operation.paymaster.postOpGasLimit)
        }
})

/** For an operation of which nothing could be found out. */
export const unmeasuredLimits = (operation: UserOperation, signature: HexBytes): GasLimits => ({
  callGasLimit: unmeasuredCall,
  verificationGasLimit: unmeasuredVerification[operation.factory === null ? "deployed" : "deploying"],
  preVerificationGas: preVerificationGasOf(operation, signature),
  paymasterVerificationGasLimit: operation.paymaster?.verificationGasLimit ?? 0n,
  paymasterPostOpGasLimit: operation.paymaster?.postOpGasLimit ?? 0n
})

/** Runs an operation on the latest block with one `debug_traceCall`. An operation without limits is granted ample ones. */
export const simulateOperation = async (
  rpc: RpcClients["Service"],
  simulations: EntryPointSimulations,
  operation: UserOperation,
  signature: HexBytes
): Promise<Simulation> => {
  const trace = async (asked: UserOperation, ampleDeposit: boolean): Promise<CallFrame> =>
    (await rpc.request(
      operation.chainId,
      "debug_traceCall",
      traceCallParameters(asked, signature, simulations, ampleDeposit)
      // The shape is fixed by the tracer that the request names.
    )) as CallFrame

  if (!withoutLimits(operation)) {
    const [top, now] = await Promise.all([trace(operation, false), latestTimestamp(rpc, operation)])
    return simulationOfFinal(operation, readSimulationTrace(operation, top), now)
  }

  const preVerificationGas = preVerificationGasOf(operation, signature)
  const ample = granted(
    operation,
    operation.paymaster === null ? generousLimits : generousLimitsWithPaymaster,
    preVerificationGas
  )
  const [top, dataGas] = await Promise.all([
    trace(ample, true),
    l1DataGas(rpc.client(operation.chainId), operation.chainId, handleOpsData(ample, signature))
  ])
  const first = readSimulationTrace(ample, top)
  const total = preVerificationGas + dataGas
  if (operation.paymaster === null || !limitsDistorted(first)) return estimate(operation, ample, first, total)
  // With a paymaster the first limits are a compromise. Where they were too low for the calls, or too high for the
  // allowance, the second run takes the place of the first.
  const measured = measuredGas(ample, first)
  const call = ranOutOfGas(first) ? generousLimits.call : (measured.call * 115n) / 100n
  const again = granted(operation, { ...generousLimitsWithPaymaster, call }, total)
  return estimate(operation, again, readSimulationTrace(again, await trace(again, true)), total)
}

const ranOutOfGas = ({ execution }: SimulationTrace): boolean =>
  execution?.error !== undefined && gasOf(execution) > (generousLimitsWithPaymaster.call * 9n) / 10n

const limitsDistorted = (trace: SimulationTrace): boolean =>
  ranOutOfGas(trace) || (trace.postOp?.error !== undefined && trace.execution?.error === undefined)

const latestTimestamp = async (rpc: RpcClients["Service"], { chainId }: UserOperation): Promise<bigint> =>
  (await rpc.client(chainId).getBlock({ blockTag: "latest" })).timestamp

/** The first of: refused by the EntryPoint, failed calls, failed payment. A failed call explains a failed payment. */
const revertOf = ({ top, execution, inner }: SimulationTrace): RevertReason | null => {
  const failed = [top, execution, inner].find((frame) => frame?.error !== undefined)
  return failed === undefined ? null : failureReason(failed)
}

const transfersOf = (operation: UserOperation, trace: SimulationTrace): Simulation["transfers"] =>
  transfersInTrace(operation.chainId, trace.top, operation.sender, operation.entryPoint)

/** `run` is the operation as it ran, with the limits it was granted. */
const measuredGas = (run: UserOperation, trace: SimulationTrace): MeasuredGas => {
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

const estimate = (
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

const simulationOfFinal = (operation: UserOperation, trace: SimulationTrace, now: bigint): Simulation => {
  const refusal = trace.result === null ? null : validationRefusal(trace.result, now)
  const revert = refusal === null ? revertOf(trace) : revertReasonWithoutData(refusal)
  return {
    limits: {
      callGasLimit: operation.callGasLimit,
      verificationGasLimit: operation.verificationGasLimit,
      preVerificationGas: operation.preVerificationGas,
      paymasterVerificationGasLimit: operation.paymaster?.verificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: operation.paymaster?.postOpGasLimit ?? 0n
    },
    gasUsed: trace.result?.actualGasUsed ?? 0n,
    revert,
    transfers: revert === null ? transfersOf(operation, trace) : []
  }
}
