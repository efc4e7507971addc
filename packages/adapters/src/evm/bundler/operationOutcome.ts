import type { EvmChainId } from "@countersign/core/chains"
import type { Hash32 } from "@countersign/core/primitives"
import type { OperationOutcome, RevertReason, UserOperation } from "@countersign/core/user-operations"
import { Option } from "effect"
import { decodeEventLog, encodeEventTopics, type Hex, type RpcLog, type RpcTransactionReceipt } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { bytesFromHex, hash32FromHex, hex } from "../hex.ts"
import type { RpcClients } from "../RpcClients.ts"
import { revertReason } from "../revertReason.ts"
import type { FindOperation, Wanted } from "./operationSearch.ts"
import { executionFrame, ownPartOfLogs, ownPartOfTrace } from "./ownPart.ts"
import { type CallFrame, findFrame, isCallTo } from "./simulation/CallFrame.ts"
import { failureReason } from "./simulation/failureReason.ts"

const NO_DATA = bytesFromHex("0x")

/**
 * How an operation ended, from the EntryPoint's event and the transaction around it. Coin movements come from a trace
 * where the node gives one, and are missing where it does not.
 */
export const operationOutcome = async (
  rpc: RpcClients["Service"],
  find: FindOperation,
  wanted: Wanted
): Promise<Option.Option<OperationOutcome>> => {
  const { event } = await find(wanted)
  if (event?.transactionHash == null || event.blockHash === null) return Option.none()
  return outcomeInTransaction(rpc, wanted.operation, wanted.hash, event.transactionHash, event.blockHash)
}

/** How an operation ended that is known to be in a transaction; none when a reorganisation has taken that away. */
export const outcomeInTransaction = async (
  rpc: RpcClients["Service"],
  operation: UserOperation,
  hash: Hash32,
  transactionHash: Hex,
  blockHash: Hex
): Promise<Option.Option<OperationOutcome>> => {
  const client = rpc.client(operation.chainId)
  const [receipt, block, trace] = await Promise.all([
    client.request({ method: "eth_getTransactionReceipt", params: [transactionHash] }),
    client.request({ method: "eth_getBlockByHash", params: [blockHash, false] }),
    traceOrNull(rpc, operation.chainId, transactionHash)
  ])
  if (receipt === null || block === null) return Option.none()
  const log = logOf(receipt, "UserOperationEvent", hash)
  if (log === undefined) return Option.none()
  const { success, actualGasCost } = decodeEventLog({
    abi: entryPointAbi,
    eventName: "UserOperationEvent",
    topics: topicsOf(log),
    data: log.data
  }).args
  const part = (trace && ownPartOfTrace(operation, hash, trace)) ?? ownPartOfLogs(operation, hash, receipt.logs)
  return Option.some({
    success,
    transactionHash: hash32FromHex(transactionHash),
    blockNumber: BigInt(receipt.blockNumber),
    blockHash: hash32FromHex(receipt.blockHash),
    blockTimestamp: Number(block.timestamp),
    actualGasCost,
    revert: success
      ? null
      : (revertInTrace(operation, trace && (executionFrame(trace, operation.entryPoint, hash) ?? null)) ??
        revertInReceipt(receipt, hash)),
    ...part
  })
}

type Receipt = Pick<RpcTransactionReceipt, "logs">

/** The EntryPoint's event of one kind about one operation. */
const logOf = (
  receipt: Receipt,
  eventName: "UserOperationEvent" | "UserOperationRevertReason" | "PostOpRevertReason",
  hash: Hash32
): RpcLog | undefined => {
  const [topic] = encodeEventTopics({ abi: entryPointAbi, eventName })
  return receipt.logs.find((log) => log.topics[0] === topic && log.topics[1]?.toLowerCase() === hash)
}

const topicsOf = (log: Pick<RpcLog, "topics">): [Hex, ...Array<Hex>] => {
  const [signature = "0x", ...indexed] = log.topics
  return [signature, ...indexed]
}

const traceOrNull = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  transactionHash: Hex
): Promise<CallFrame | null> => {
  try {
    const options = { tracer: "callTracer", tracerConfig: { withLog: true } }
    const frame = (await rpc.request(chainId, "debug_traceTransaction", [transactionHash, options])) as CallFrame
    // A node without the tracer may answer with something else.
    return typeof frame?.from === "string" ? frame : null
  } catch {
    return null
  }
}

/** From the account's own frame, which also has what the contracts on the way swallowed. */
const revertInTrace = (operation: UserOperation, trace: CallFrame | null): RevertReason | null => {
  if (trace === null) return null
  const frame = findFrame(
    trace,
    (candidate) =>
      candidate.error !== undefined &&
      isCallTo(candidate, operation.sender) &&
      candidate.input.toLowerCase() === operation.callData
  )
  return frame === undefined ? null : failureReason(frame)
}

/** The return data that the EntryPoint kept of a failed operation: of its calls, else of the paymaster's postOp. */
const revertInReceipt = (receipt: Receipt, hash: Hash32): RevertReason => {
  for (const eventName of ["UserOperationRevertReason", "PostOpRevertReason"] as const) {
    const log = logOf(receipt, eventName, hash)
    if (log === undefined) continue
    const { args } = decodeEventLog({ abi: entryPointAbi, eventName, topics: topicsOf(log), data: log.data })
    return revertReason(bytesFromHex(args.revertReason))
  }
  return revertReason(NO_DATA)
}
