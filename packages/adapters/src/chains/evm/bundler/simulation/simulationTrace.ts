import type { AllowanceChange, UserOperation } from "@countersign/core/operations/user-operations"
import { decodeEventLog, decodeFunctionResult, type Hex, hexToBigInt, toEventSelector } from "viem"
import { entryPointAbi, entryPointSimulationsAbi } from "../../abi/entryPoint.ts"
import { type CallFrame, eventsOf, isCallTo } from "./CallFrame.ts"

/**
 * Selector of `EntryPoint.innerHandleOp`, in which the account's calls and the paymaster's `postOp` run. It is the same
 * in 0.7 and 0.8.
 */
export const INNER_HANDLE_OP = "0x0042dc53"
/** Selector of `IPaymaster.postOp(uint8,bytes,uint256,uint256)`. */
export const POST_OP = "0x7c627b21"
/** Selector of `IPaymaster.validatePaymasterUserOp`, which is the same in both versions. */
export const VALIDATE_PAYMASTER = "0x52b7512c"

/** Topic of the event that an EntryPoint emits at the end of an operation. */
export const USER_OPERATION_EVENT = toEventSelector(
  "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"
)

/** The EntryPoint's result of a simulation whose validation succeeded. */
export interface ExecutionResult {
  /** Gas of the validation, including preVerificationGas. */
  readonly preOpGas: bigint
  readonly accountValidationData: bigint
  readonly paymasterValidationData: bigint
  /**
   * Charged gas, from `UserOperationEvent`; zero without this event. For the view `RESULT` it is computed from the paid
   * amount.
   */
  readonly actualGasUsed: bigint
}

/**
 * The visible part of a simulation: all calls, or logs and the EntryPoint's result, or only that result. If calls are
 * not visible, the frames are reconstructed from the logs or the result.
 */
export type TraceView = "CALLS" | "LOGS" | "RESULT"

/** The relevant frames of a simulated operation. */
export interface SimulationTrace {
  readonly view: TraceView
  /** The paymaster's charge. Only set for the view `LOGS`; null if the logs do not show the charge. */
  readonly tokenPaid?: bigint | null
  /** The allowances that remain after the simulation. Only set for the view `LOGS`. */
  readonly allowances?: ReadonlyArray<AllowanceChange>
  readonly top: CallFrame
  readonly result: ExecutionResult | null
  readonly paymasterValidation: CallFrame | undefined
  readonly inner: CallFrame | undefined
  /** The frame in which the account executes its calls. */
  readonly execution: CallFrame | undefined
  readonly postOp: CallFrame | undefined
}

export const readSimulationTrace = (operation: UserOperation, top: CallFrame): SimulationTrace => {
  const calls = top.calls ?? []
  const { paymaster, entryPoint, sender } = operation
  const callsPaymaster = (selector: string) => (frame: CallFrame) =>
    paymaster !== null && isCallTo(frame, paymaster.address) && frame.input.startsWith(selector)
  const executionCall = calls.find((frame) => isCallTo(frame, entryPoint) && frame.input.startsWith(INNER_HANDLE_OP))
  return {
    view: "CALLS",
    top,
    result: top.error === undefined ? executionResult(top) : null,
    paymasterValidation: calls.find(callsPaymaster(VALIDATE_PAYMASTER)),
    inner: executionCall,
    execution: executionCall?.calls?.find((frame) => isCallTo(frame, sender)),
    postOp: executionCall?.calls?.find(callsPaymaster(POST_OP))
  }
}

const executionResult = (top: CallFrame): ExecutionResult => {
  const result = decodeFunctionResult({
    abi: entryPointSimulationsAbi,
    functionName: "simulateHandleOp",
    data: top.output ?? "0x"
  })
  return { ...result, actualGasUsed: actualGasUsed(top) }
}

const actualGasUsed = (top: CallFrame): bigint => {
  for (const event of eventsOf(top)) {
    if (!("topics" in event) || event.topics[0] !== USER_OPERATION_EVENT) continue
    const [signature, ...indexed] = event.topics
    const topics: [Hex, ...Array<Hex>] = [signature, ...indexed]
    return decodeEventLog({ abi: entryPointAbi, eventName: "UserOperationEvent", topics, data: event.data }).args
      .actualGasUsed
  }
  return 0n
}

export const gasOf = (frame: CallFrame | undefined): bigint => (frame === undefined ? 0n : hexToBigInt(frame.gasUsed))

/**
 * Derives the gas that the calls and the paymaster's `postOp` used. The charged gas also contains 10 % of the unused
 * gas, on EntryPoint 0.8 only if more than 40,000 gas is unused.
 */
export const callsGas = (
  { callGasLimit, paymaster }: UserOperation,
  { actualGasUsed, preOpGas }: ExecutionResult
): bigint => {
  const chargedGas = actualGasUsed - preOpGas
  const limits = callGasLimit + (paymaster?.postOpGasLimit ?? 0n)
  const usedGas = chargedGas < limits ? (chargedGas * 10n - limits + 8n) / 9n : chargedGas
  return usedGas > 0n ? usedGas : 0n
}
