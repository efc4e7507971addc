import { chainOf } from "@countersign/core/chains"
import type { HexBytes } from "@countersign/core/primitives"
import type { Simulation, UserOperation } from "@countersign/core/user-operations"
import { deploymentOf } from "../../../deployments/index.ts"
import type { RpcClients } from "../../RpcClients.ts"
import { revertReasonWithoutData } from "../../revertReason.ts"
import type { CallFrame } from "./CallFrame.ts"
import {
  generousLimits,
  generousLimitsWithPaymaster,
  handleOpsData,
  type MeasuredGas,
  preVerificationGasOf
} from "./gasLimits.ts"
import { l1DataGas } from "./l1DataFee.ts"
import { type EntryPointSimulations, traceCallParameters } from "./simulationRequest.ts"
import { estimateFrom, finalSimulation, measuredGas, unmeasuredSimulation } from "./simulationResult.ts"
import { gasOf, readSimulationTrace, type SimulationTrace } from "./simulationTrace.ts"

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Limits of zero ask for an estimate. */
export const withoutLimits = (operation: UserOperation): boolean =>
  operation.callGasLimit === 0n || operation.verificationGasLimit === 0n

/** Gas prices of zero would skip the code that pays: one wei runs it, and costs nothing. */
const payable = (operation: UserOperation): UserOperation =>
  operation.maxFeePerGas === 0n ? { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } : operation

const withLimits = (operation: UserOperation, limits: MeasuredGas, preVerificationGas: bigint): UserOperation => ({
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

/** Runs an operation on the latest block with one `debug_traceCall`. An operation without limits is granted ample ones. */
export const simulateOperation = async (
  rpc: RpcClients["Service"],
  simulations: EntryPointSimulations,
  operation: UserOperation,
  signature: HexBytes
): Promise<Simulation> => {
  const trace = async (tracedOperation: UserOperation, ampleDeposit: boolean): Promise<CallFrame> =>
    (await rpc.request(
      operation.chainId,
      "debug_traceCall",
      traceCallParameters(tracedOperation, signature, simulations, ampleDeposit)
      // The shape is fixed by the tracer that the request names.
    )) as CallFrame

  if (operation.authorization !== null && !deploymentOf(operation.chainId).eip7702) {
    // The override that stands for the delegation would hide it.
    const reason = `${chainOf(operation.chainId).name} does not support EIP-7702`
    return unmeasuredSimulation(operation, signature, revertReasonWithoutData(reason))
  }
  if (!withoutLimits(operation)) {
    const [top, now] = await Promise.all([trace(operation, false), latestTimestamp(rpc, operation)])
    return finalSimulation(operation, readSimulationTrace(operation, top), now)
  }

  const preVerificationGas = preVerificationGasOf(operation, signature)
  const firstOperation = withLimits(
    operation,
    operation.paymaster === null ? generousLimits : generousLimitsWithPaymaster,
    preVerificationGas
  )
  const [top, dataGas] = await Promise.all([
    trace(firstOperation, true),
    l1DataGas(rpc.client(operation.chainId), operation.chainId, handleOpsData(firstOperation, signature))
  ])
  const firstTrace = readSimulationTrace(firstOperation, top)
  const total = preVerificationGas + dataGas
  if (operation.paymaster === null || !limitsDistorted(firstTrace))
    return estimateFrom(operation, firstOperation, firstTrace, total)
  // With a paymaster the first limits are a compromise. Where they were too low for the calls, or too high for the
  // allowance, the second run replaces the first.
  const gasUse = measuredGas(firstOperation, firstTrace)
  const call = ranOutOfGas(firstTrace) ? generousLimits.call : (gasUse.call * 115n) / 100n
  const secondOperation = withLimits(operation, { ...generousLimitsWithPaymaster, call }, total)
  return estimateFrom(
    operation,
    secondOperation,
    readSimulationTrace(secondOperation, await trace(secondOperation, true)),
    total
  )
}

const ranOutOfGas = ({ execution }: SimulationTrace): boolean =>
  execution?.error !== undefined && gasOf(execution) > (generousLimitsWithPaymaster.call * 9n) / 10n

const limitsDistorted = (trace: SimulationTrace): boolean =>
  ranOutOfGas(trace) || (trace.postOp?.error !== undefined && trace.execution?.error === undefined)

const latestTimestamp = async (rpc: RpcClients["Service"], { chainId }: UserOperation): Promise<bigint> =>
  (await rpc.client(chainId).getBlock({ blockTag: "latest" })).timestamp
