import type { Address } from "@countersign/core/foundation/primitives"
import { decodeEventLog, type Hex, toEventSelector } from "viem"
import { entryPointAbi } from "../../abi/entryPoint.ts"
import type { CallFrame, TracedLog } from "./CallFrame.ts"
import { isEntryPoint } from "./entryPointCalls.ts"
import { INNER_HANDLE_OP, POST_OP, USER_OPERATION_EVENT } from "./simulationTrace.ts"

export const BEFORE_EXECUTION = toEventSelector("BeforeExecution()")
const REVERT_REASON = toEventSelector("UserOperationRevertReason(bytes32,address,uint256,bytes)")
const POST_OP_REVERT_REASON = toEventSelector("PostOpRevertReason(bytes32,address,uint256,bytes)")

const reasonIn = ({ data, topics }: TracedLog): Hex =>
  decodeEventLog({ abi: entryPointAbi, topics: topics as [Hex, ...Array<Hex>], data, strict: true }).args[
    "revertReason" as never
  ] as Hex

const callTo = (to: Hex, from: Hex, input: Hex, failure?: Hex): CallFrame => ({
  type: "CALL",
  from,
  to,
  gasUsed: "0x0",
  input,
  ...(failure === undefined ? {} : { error: "execution reverted", output: failure })
})

/**
 * Returns the calls of other EntryPoints that an operation makes. They are visible in logs, because each EntryPoint
 * emits an event before it executes calls.
 */
const foreignBundles = (logs: ReadonlyArray<TracedLog>, entryPoint: Address): ReadonlyArray<CallFrame> =>
  logs.flatMap(({ address, topics }) =>
    topics[0] === BEFORE_EXECUTION && address.toLowerCase() !== entryPoint && isEntryPoint(address)
      ? [callTo(address, entryPoint, "0x")]
      : []
  )

/** Reconstructs `innerHandleOp` from the logs of one operation. The last log is the operation's own event. */
const innerOf = (logs: ReadonlyArray<TracedLog>, entryPoint: Address): CallFrame => {
  const event = logs.at(-1)!
  const { args } = decodeEventLog({
    abi: entryPointAbi,
    eventName: "UserOperationEvent",
    topics: event.topics as [Hex, ...Array<Hex>],
    data: event.data
  })
  const entryPointLogs = logs.filter(({ address }) => address.toLowerCase() === entryPoint)
  const entryPointLog = (topic: Hex) => entryPointLogs.find(({ topics }) => topics[0] === topic)
  const [revertLog, postOpRevertLog] = [entryPointLog(REVERT_REASON), entryPointLog(POST_OP_REVERT_REASON)]
  const execution =
    postOpRevertLog === undefined && !args.success
      ? callTo(args.sender, entryPoint, "0x", revertLog === undefined ? "0x" : reasonIn(revertLog))
      : callTo(args.sender, entryPoint, "0x")
  const postOp =
    postOpRevertLog === undefined ? [] : [callTo(args.paymaster, entryPoint, POST_OP, reasonIn(postOpRevertLog))]
  return {
    ...callTo(entryPoint, entryPoint, INNER_HANDLE_OP, postOp[0]?.output),
    calls: [execution, ...postOp, ...foreignBundles(logs, entryPoint)]
  }
}

/** Reconstructs the frames of `innerHandleOp`, one for each completed operation, from the logs of a simulation. */
export const innerFramesOf = (logs: ReadonlyArray<TracedLog>, entryPoint: Address): ReadonlyArray<CallFrame> => {
  const ends = logs.flatMap(({ address, topics }, index) =>
    topics[0] === USER_OPERATION_EVENT && address.toLowerCase() === entryPoint ? [index] : []
  )
  return ends.map((end, i) => innerOf(logs.slice((ends[i - 1] ?? -1) + 1, end + 1), entryPoint))
}
