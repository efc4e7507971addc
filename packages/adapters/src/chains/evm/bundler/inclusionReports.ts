import type { Hash32 } from "@countersign/core/foundation/primitives"
import { decodeEventLog, type Hex, numberToHex, padHex } from "viem"
import { HostFailure } from "../../../outbound/json-api/index.ts"
import { entryPointAbi } from "../abi/entryPoint.ts"
import type { BlockResponse, LogResponse, ReceiptResponse } from "../rpc/nodeResponses.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import type { AbsenceReport, OperationReport } from "./evidence.ts"
import { findUsedNonces } from "./findUsedNonces.ts"
import { operationLogs } from "./operationLogs.ts"
import type { SearchedOperation } from "./operationSearch.ts"
import { executionFrame } from "./ownPart.ts"
import { USER_OPERATION_EVENT } from "./simulation/simulationTrace.ts"

/** The transaction in which a node reports an operation. */
export interface InclusionLocation {
  readonly transactionHash: Hex
  readonly blockNumber: bigint
}

/** A node's report, with the data from which an outcome is built. */
export interface InclusionReport extends OperationReport {
  readonly witness: Witness
  readonly receipt: ReceiptResponse | null
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number
}

/** Describes the contradiction in a node's receipt and block; null if there is none. */
const objectionTo = (
  location: InclusionLocation,
  receipt: ReceiptResponse,
  block: BlockResponse | null
): string | null => {
  if (receipt.transactionHash.toLowerCase() !== location.transactionHash.toLowerCase()) {
    return "its receipt belongs to another transaction"
  }
  if (receipt.status === "0x0") return "its receipt contains the event, but has the status of a reverted transaction"
  if (block === null) return "it has the receipt but not the block"
  if (block.hash !== receipt.blockHash) return "the block in its receipt differs from its block at this height"
  return block.transactions.includes(receipt.transactionHash) ? null : "its block does not contain the transaction"
}

const isOwnEvent = (
  { operation: { entryPoint }, hash }: SearchedOperation,
  { address, topics }: LogResponse
): boolean =>
  address.toLowerCase() === entryPoint && topics[0] === USER_OPERATION_EVENT && topics[1]?.toLowerCase() === hash

/** Queries a node about an operation in a transaction, with concurrent requests. */
export const readInclusionReport = async (
  witness: Witness,
  searchedOperation: SearchedOperation,
  location: InclusionLocation
): Promise<InclusionReport> => {
  const [receipt, block, [isNonceUsed = false]] = await Promise.all([
    witness.request("eth_getTransactionReceipt", [location.transactionHash]),
    witness.request("eth_getBlockByNumber", [numberToHex(location.blockNumber), false]),
    findUsedNonces(witness.request, [searchedOperation.operation], "latest")
  ])
  const event = receipt?.logs.find((log) => isOwnEvent(searchedOperation, log)) ?? null
  return {
    node: witness.name,
    witness,
    event,
    objection: receipt === null || event === null ? null : objectionTo(location, receipt, block),
    isNonceUsed,
    receipt,
    timestamp: Number(block?.timestamp ?? 0)
  }
}

const nonceOf = (log: LogResponse): bigint =>
  decodeEventLog({
    abi: entryPointAbi,
    eventName: "UserOperationEvent",
    topics: log.topics as [Hex, ...Array<Hex>],
    data: log.data
  }).args.nonce

/** Whether another operation of the account has used the nonce. */
const isUsedByAnother = async (
  { request }: Witness,
  { fromBlock, hash, operation }: SearchedOperation,
  head: bigint
): Promise<boolean> => {
  const topics = [null, padHex(operation.sender, { size: 32 })]
  const logs = await operationLogs(request, operation.entryPoint, { fromBlock, toBlock: "latest", head, topics })
  return logs.some((log) => log.topics[1]?.toLowerCase() !== hash && nonceOf(log) === operation.nonce)
}

/** Whether a transaction has executed an operation, according to a node's trace; false if the node can't trace it. */
const hasExecuted = async (
  { request }: Witness,
  { hash, operation }: SearchedOperation,
  transaction: Hash32
): Promise<boolean> => {
  try {
    const trace = await request("debug_traceTransaction", [transaction, { tracer: "callTracer" }])
    return trace.error === undefined && executionFrame(trace, operation.entryPoint, hash) !== undefined
  } catch {
    return false
  }
}

/**
 * Queries a node about an operation that should not be included. Sends one request, with traces of the transactions
 * that contained the operation. Sends a second one if the nonce is used but the node lacks the event. `head` is the
 * number of a recent block.
 */
export const readAbsenceReport = async (
  witness: Witness,
  searchedOperation: SearchedOperation,
  bundleTransactions: ReadonlyArray<Hash32>,
  head: bigint
): Promise<AbsenceReport> => {
  const { fromBlock, hash, operation } = searchedOperation
  const [block, [isNonceUsed = false], logs, runs] = await Promise.all([
    witness.request("eth_getBlockByNumber", ["latest", false]),
    findUsedNonces(witness.request, [operation], "latest"),
    operationLogs(witness.request, operation.entryPoint, { fromBlock, toBlock: "latest", head, topics: [[hash]] }),
    Promise.all(bundleTransactions.map((transaction) => hasExecuted(witness, searchedOperation, transaction)))
  ])
  if (block === null) throw new HostFailure("it does not return its latest block")
  const event = logs.find((log) => isOwnEvent(searchedOperation, log)) ?? null
  const isUsedByOther = isNonceUsed && event === null && (await isUsedByAnother(witness, searchedOperation, head))
  return {
    node: witness.name,
    timestamp: Number(block.timestamp),
    event,
    isTraced: runs.includes(true),
    nonce: isUsedByOther ? "USED_BY_ANOTHER" : isNonceUsed ? "USED" : "FREE"
  }
}
