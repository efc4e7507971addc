import type { Address } from "@countersign/core/foundation/primitives"
import { decodeErrorResult, type Hex } from "viem"
import { knownErrorsAbi } from "../abi/errors.ts"
import { type CallFrame, isCallTo } from "./simulation/CallFrame.ts"
import { callsEntryPoint } from "./simulation/entryPointCalls.ts"
import { failureReason } from "./simulation/failureReason.ts"
import { INNER_HANDLE_OP } from "./simulation/simulationTrace.ts"

/** Why a bundle reverts. `index` is the position of an operation in the bundle. */
export type RevertVerdict =
  /** One operation makes the bundle revert. */
  | { readonly _tag: "Fails"; readonly index: number; readonly reason: string }
  /** The bundle reverts, but no single operation is known to be the cause. */
  | { readonly _tag: "FailsWhole"; readonly reason: string }

/** The result of tracing `handleOps` with a bundle. */
export type BundleVerdict =
  | { readonly _tag: "Passes" }
  | RevertVerdict
  /** The bundle would succeed, but one operation itself calls an EntryPoint. */
  | { readonly _tag: "CallsEntryPoint"; readonly index: number }

const failedIndex = (output: Hex | undefined): number | null => {
  try {
    const error = decodeErrorResult({ abi: knownErrorsAbi, data: output ?? "0x" })
    return error.errorName === "FailedOp" || error.errorName === "FailedOpWithRevert" ? Number(error.args[0]) : null
  } catch {
    return null
  }
}

/** Determines the verdict from the trace of a reverted bundle. `size` is the number of operations in the bundle. */
export const revertVerdict = (frame: CallFrame, size: number): RevertVerdict => {
  const reason = failureReason(frame).decoded
  const index = failedIndex(frame.output)
  return index !== null && index < size ? { _tag: "Fails", index, reason } : { _tag: "FailsWhole", reason }
}

/** Determines the verdict from the trace of a bundle with `size` operations. */
export const bundleVerdict = (frame: CallFrame, entryPoint: Address, size: number): BundleVerdict => {
  if (frame.error !== undefined) return revertVerdict(frame, size)
  // `innerHandleOp` calls: one for each operation, in order.
  const executions = (frame.calls ?? []).filter(
    (call) => isCallTo(call, entryPoint) && call.input.startsWith(INNER_HANDLE_OP)
  )
  const index = executions.findIndex(({ calls = [] }) => calls.some(callsEntryPoint))
  return index < 0 ? { _tag: "Passes" } : { _tag: "CallsEntryPoint", index }
}
