import type { Address } from "@countersign/core/foundation/primitives"
import { addressFromHex } from "../../hex.ts"
import { type CallFrame, hasRevertReason } from "./CallFrame.ts"

/** Yields the failed frames inside a frame, outermost first. Of sibling frames, the last comes first. */
const failuresInside = function* ({ calls = [] }: CallFrame): Generator<CallFrame> {
  for (const call of calls.toReversed()) {
    if (call.error !== undefined) yield call
    yield* failuresInside(call)
  }
}

/**
 * Finds the inner call that made a frame fail. This is its last call, if it failed. Otherwise it is the first failed
 * call whose revert data the frame forwards, or any failed call with a reason if the frame has no reason itself. Other
 * failures were probably caught: the frame made more calls after them and reverted with its own reason.
 */
const causeOf = (frame: CallFrame): CallFrame | undefined => {
  const { calls = [], output = "0x" } = frame
  const lastCall = calls.at(-1)
  if (lastCall?.error !== undefined) return lastCall
  const isForwarded = (inside: CallFrame) => inside.output !== undefined && output.includes(inside.output.slice(2))
  return [...failuresInside(frame)].find(
    (inside) => hasRevertReason(inside) && (!hasRevertReason(frame) || isForwarded(inside))
  )
}

/**
 * Returns the contract where the failure of a frame began; null if the trace does not show it. A failure inside a
 * delegatecall, as in a proxy, is attributed to the calling contract.
 */
export const failedContract = (frame: CallFrame): Address | null => {
  const cause = causeOf(frame)
  if (cause !== undefined) return failedContract(cause)
  const contract = frame.type === "DELEGATECALL" || frame.type === "CALLCODE" ? frame.from : frame.to
  return contract === undefined ? null : addressFromHex(contract)
}
