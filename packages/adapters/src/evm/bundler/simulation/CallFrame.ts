import type { Address } from "@countersign/core/primitives"
import type { Hex } from "viem"

/** A log as geth's callTracer gives it with `withLog`. */
export interface TracedLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  /** How many of the frame's calls had begun before it. */
  readonly position?: Hex
}

/** A frame of geth's callTracer. Quantities are hexadecimal. */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  readonly to?: Hex
  readonly value?: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  /** Set when the frame reverted or ran out of gas. */
  readonly error?: string
  readonly calls?: ReadonlyArray<CallFrame>
  readonly logs?: ReadonlyArray<TracedLog>
}

export const isCallTo = (frame: CallFrame, to: Address): boolean => frame.to?.toLowerCase() === to

/** What a run did, in order; frames that reverted are left out with everything inside them. */
export const eventsOf = function* (frame: CallFrame): Generator<CallFrame | TracedLog> {
  if (frame.error !== undefined) return
  yield frame
  const calls = frame.calls ?? []
  const logs = frame.logs ?? []
  let next = 0
  for (const [index, call] of calls.entries()) {
    for (let log = logs[next]; log !== undefined && Number(log.position ?? 0) <= index; log = logs[++next]) yield log
    yield* eventsOf(call)
  }
  yield* logs.slice(next)
}

/** The failed frames inside a frame, innermost first and the last of siblings first. */
const failuresIn = function* (frame: CallFrame): Generator<CallFrame> {
  for (const call of (frame.calls ?? []).toReversed()) {
    yield* failuresIn(call)
    if (call.error !== undefined) yield call
  }
}

/**
 * The return data that explains why a frame reverted: its own, or where it has none that of the last failure inside,
 * because contracts that swallow their callee's reason are common. Safe's MultiSend is one.
 */
export const failureOf = (frame: CallFrame): { readonly data: Hex; readonly error: string } => {
  const ownOutput = frame.output ?? "0x"
  const error = frame.error ?? ""
  if (ownOutput !== "0x") return { data: ownOutput, error }
  const failures = [...failuresIn(frame)]
  const failureWithOutput = failures.find(({ output = "0x" }) => output !== "0x")
  return { data: failureWithOutput?.output ?? "0x", error: failureWithOutput?.error ?? failures[0]?.error ?? error }
}

/** The first frame, in order of execution, that holds. */
export const findFrame = (frame: CallFrame, holds: (frame: CallFrame) => boolean): CallFrame | undefined => {
  if (holds(frame)) return frame
  for (const call of frame.calls ?? []) {
    const match = findFrame(call, holds)
    if (match !== undefined) return match
  }
  return undefined
}
