import type { Address, Hash32 } from "@countersign/core/primitives"
import { encodeEventTopics, type RpcLog, toEventSelector } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { type CallFrame, findFrame, isCallTo } from "./simulation/CallFrame.ts"

/** `EntryPoint.innerHandleOp`, in which the account's calls and the paymaster's postOp run; one selector in 0.7 and 0.8. */
const INNER_HANDLE_OP = "0x0042dc53"
/** `IAccount.validateUserOp` and `IPaymaster.validatePaymasterUserOp`, whose selectors both versions share. */
const VALIDATE_ACCOUNT = "0x19822f7c"
const VALIDATE_PAYMASTER = "0x52b7512c"

const [operationEvent] = encodeEventTopics({ abi: entryPointAbi, eventName: "UserOperationEvent" })
const executionBegins = toEventSelector("BeforeExecution()")

const isFrom = (entryPoint: Address) => (log: Pick<RpcLog, "address">) => log.address.toLowerCase() === entryPoint

const isOperationEvent = ({ topics }: Pick<RpcLog, "topics">): boolean => topics[0] === operationEvent

/** The place of an operation in its bundle, and how many that has: an EntryPoint tells of each, in their order. */
export const placeInBundle = (
  logs: ReadonlyArray<RpcLog>,
  entryPoint: Address,
  hash: Hash32
): { readonly index: number; readonly size: number } => {
  const events = logs.filter(isFrom(entryPoint)).filter(isOperationEvent)
  return { index: events.findIndex(({ topics }) => topics[1]?.toLowerCase() === hash), size: events.length }
}

const isExecution = (entryPoint: Address) => (frame: CallFrame) =>
  isCallTo(frame, entryPoint) && frame.input.startsWith(INNER_HANDLE_OP)

/** Each operation's: what makes its account where that is new, the account's own validation, and the paymaster's. */
const validationsIn = (frames: ReadonlyArray<CallFrame>): ReadonlyArray<ReadonlyArray<CallFrame>> => {
  const groups: Array<Array<CallFrame>> = []
  let isAccountValid = true
  for (const frame of frames) {
    if (isAccountValid && !frame.input.startsWith(VALIDATE_PAYMASTER)) {
      groups.push([])
      isAccountValid = false
    }
    groups.at(-1)?.push(frame)
    if (frame.input.startsWith(VALIDATE_ACCOUNT)) isAccountValid = true
  }
  return groups
}

/**
 * The part of a bundle's trace that is one operation's: all operations are validated first, then all are executed. Null
 * where the trace is not that of a bundle of so many.
 */
export const operationFrame = (
  trace: CallFrame,
  entryPoint: Address,
  { index, size }: { readonly index: number; readonly size: number }
): CallFrame | null => {
  const isItsExecution = isExecution(entryPoint)
  const bundle = findFrame(trace, (frame) => isCallTo(frame, entryPoint) && (frame.calls ?? []).some(isItsExecution))
  const calls = bundle?.calls ?? []
  const executions = calls.filter(isItsExecution)
  const validations = validationsIn(calls.slice(0, calls.findIndex(isItsExecution)))
  const execution = executions[index]
  const validation = validations[index]
  if (bundle === undefined || execution === undefined || validation === undefined) return null
  if (executions.length !== size || validations.length !== size) return null
  return { ...bundle, calls: [...validation, execution], logs: [] }
}

/**
 * The logs that are one operation's: those between the event before its own and that. Of the validations, which come
 * before the first, nothing says whose they are.
 */
export const operationLogs = (
  logs: ReadonlyArray<RpcLog>,
  entryPoint: Address,
  { index }: { readonly index: number }
): ReadonlyArray<RpcLog> => {
  const isOfEntryPoint = isFrom(entryPoint)
  const ends = logs.flatMap((log, place) => (isOfEntryPoint(log) && isOperationEvent(log) ? [place] : []))
  const begin = logs.findIndex((log) => isOfEntryPoint(log) && log.topics[0] === executionBegins)
  return logs.slice((index === 0 ? begin : (ends[index - 1] ?? begin)) + 1, (ends[index] ?? logs.length) + 1)
}
