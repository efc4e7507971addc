import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import type { CallFrame, TracedLog } from "../../rpc/nodeResponses.ts"

export type { CallFrame, TracedLog }

export const isCallTo = (frame: CallFrame, to: Address): boolean => frame.to?.toLowerCase() === to

/** Yields the calls and logs of a trace in order of execution, without reverted frames and their content. */
export const eventsOf = function* (frame: CallFrame): Generator<CallFrame | TracedLog> {
  if (frame.error !== undefined) return
  yield frame
  const calls = frame.calls ?? []
  const logs = frame.logs ?? []
  let nextIndex = 0
  for (const [index, call] of calls.entries()) {
    for (let log = logs[nextIndex]; log !== undefined && Number(log.position ?? 0) <= index; log = logs[++nextIndex])
      yield log
    yield* eventsOf(call)
  }
  yield* logs.slice(nextIndex)
}

/** Yields the failed frames inside a frame, innermost first. Of sibling frames, the last comes first. */
const failuresIn = function* (frame: CallFrame): Generator<CallFrame> {
  for (const call of (frame.calls ?? []).toReversed()) {
    yield* failuresIn(call)
    if (call.error !== undefined) yield call
  }
}

/** Safe4337Module's `ExecutionFailed()`, which only states that an inner call failed. */
const EXECUTION_FAILED = "0xacfdb444"

/** Whether a failed frame returned a reason. */
export const hasRevertReason = ({ output = "0x" }: CallFrame): boolean => output !== "0x" && output !== EXECUTION_FAILED

/**
 * Returns the data that explain why a frame reverted: its own return data, otherwise those of the last inner failure.
 * Contracts such as Safe's module and MultiSend often discard the reason of the call that failed.
 */
export const failureOf = (frame: CallFrame): { readonly data: Hex; readonly error: string } => {
  const failures = [...failuresIn(frame)]
  const frameWithReason = hasRevertReason(frame) ? frame : failures.find(hasRevertReason)
  if (frameWithReason !== undefined) return { data: frameWithReason.output ?? "0x", error: frameWithReason.error ?? "" }
  return { data: frame.output ?? "0x", error: failures[0]?.error ?? frame.error ?? "" }
}

/** Returns the first matching frame, in order of execution. */
export const findFrame = (frame: CallFrame, matches: (frame: CallFrame) => boolean): CallFrame | undefined => {
  if (matches(frame)) return frame
  for (const call of frame.calls ?? []) {
    const match = findFrame(call, matches)
    if (match !== undefined) return match
  }
  return undefined
}
