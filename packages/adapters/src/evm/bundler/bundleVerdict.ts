import type { Address } from "@countersign/core/primitives"
import { decodeErrorResult, type Hex } from "viem"
import { knownErrorsAbi } from "../abi/errors.ts"
import { type CallFrame, isCallTo } from "./simulation/CallFrame.ts"
import { callsEntryPoint } from "./simulation/entryPointCalls.ts"
import { failureReason } from "./simulation/failureReason.ts"
import { INNER_HANDLE_OP } from "./simulation/simulationTrace.ts"

/** What a trace of `handleOps` says of the bundle. `index` is the place of the operation in it. */
export type BundleVerdict =
  | { readonly _tag: "Passes" }
  /** The whole bundle would revert, because of this operation. */
  | { readonly _tag: "Fails"; readonly index: number; readonly reason: string }
  /** The whole bundle would revert, and nothing says because of what. */
  | { readonly _tag: "FailsWhole"; readonly reason: string }
  /** It would go through, and this operation brings a bundle of its own into it. */
  | { readonly _tag: "CallsEntryPoint"; readonly index: number }

const failedIndex = (output: Hex | undefined): number | null => {
  try {
    const error = decodeErrorResult({ abi: knownErrorsAbi, data: output ?? "0x" })
    return error.errorName === "FailedOp" || error.errorName === "FailedOpWithRevert" ? Number(error.args[0]) : null
  } catch {
    return null
  }
}

/** `size`: how many operations the bundle has. */
export const bundleVerdict = (frame: CallFrame, entryPoint: Address, size: number): BundleVerdict => {
  if (frame.error !== undefined) {
    const reason = failureReason(frame).decoded
    const index = failedIndex(frame.output)
    return index !== null && index < size ? { _tag: "Fails", index, reason } : { _tag: "FailsWhole", reason }
  }
  // One for each operation, in their order.
  const executions = (frame.calls ?? []).filter(
    (call) => isCallTo(call, entryPoint) && call.input.startsWith(INNER_HANDLE_OP)
  )
  const index = executions.findIndex(({ calls = [] }) => calls.some(callsEntryPoint))
  return index < 0 ? { _tag: "Passes" } : { _tag: "CallsEntryPoint", index }
}
