import type { Address } from "@countersign/core/foundation/primitives"
import { decodeErrorResult, type Hex } from "viem"
import { knownErrorsAbi } from "../abi/errors.ts"
import { type CallFrame, isCallTo } from "./simulation/CallFrame.ts"
import { callsEntryPoint } from "./simulation/entryPointCalls.ts"
import { failureReason } from "./simulation/failureReason.ts"
import { INNER_HANDLE_OP } from "./simulation/simulationTrace.ts"

/** Why a whole bundle reverts. `index` is the position of an operation in the bundle. */
export type RevertVerdict =
  /** This operation makes the bundle revert. */
  | { readonly _tag: "Fails"; readonly index: number; readonly reason: string }
  /** The cause is unknown. */
  | { readonly _tag: "FailsWhole"; readonly reason: string }

/** The verdict on a bundle from a trace of `handleOps`. */
export type BundleVerdict =
  | { readonly _tag: "Passes" }
  | RevertVerdict
  /** The bundle would succeed, but this operation calls an EntryPoint itself. */
  | { readonly _tag: "CallsEntryPoint"; readonly index: number }

const failedIndex = (output: Hex | undefined): number | null => {
  try {
    const error = decodeErrorResult({ abi: knownErrorsAbi, data: output ?? "0x" })
    return error.errorName === "FailedOp" || error.errorName === "FailedOpWithRevert" ? Number(error.args[0]) : null
  } catch {
    return null
  }
}

/** The verdict from the trace of a reverted bundle. `size` is the bundle's number of operations. */
export const revertVerdict = (frame: CallFrame, size: number): RevertVerdict => {
  const reason = failureReason(frame).decoded
  const index = failedIndex(frame.output)
  return index !== null && index < size ? { _tag: "Fails", index, reason } : { _tag: "FailsWhole", reason }
}

/** The verdict from the trace of any bundle of `size` operations. */
export const bundleVerdict = (frame: CallFrame, entryPoint: Address, size: number): BundleVerdict => {
  if (frame.error !== undefined) return revertVerdict(frame, size)
  // One per operation, in order.
  const executions = (frame.calls ?? []).filter(
    (call) => isCallTo(call, entryPoint) && call.input.startsWith(INNER_HANDLE_OP)
  )
  const index = executions.findIndex(({ calls = [] }) => calls.some(callsEntryPoint))
  return index < 0 ? { _tag: "Passes" } : { _tag: "CallsEntryPoint", index }
}
