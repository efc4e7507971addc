import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { OperationOutcome, RevertReason, UserOperation } from "@countersign/core/operations/user-operations"
import { Effect, Option } from "effect"
import { decodeEventLog, encodeEventTopics, type Hex } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { bytesFromHex, hash32FromHex } from "../hex.ts"
import type { RpcClients } from "../RpcClients.ts"
import { revertReason } from "../revertReason.ts"
import type { LogResponse, ReceiptResponse } from "../rpc/nodeResponses.ts"
import { requestFromEach, type Witness, type Witnesses } from "../rpc/Witnesses.ts"
import { type Judgement, judgeAbsence, judgeInclusion } from "./evidence.ts"
import { findUsedNonces } from "./findUsedNonces.ts"
import {
  type InclusionLocation,
  type InclusionReport,
  readAbsenceReport,
  readInclusionReport
} from "./inclusionReports.ts"
import { operationLogs } from "./operationLogs.ts"
import { type OperationSearch, RANGE_HEAD_AGE_MS, type SearchedOperation } from "./operationSearch.ts"
import { effectsInLogs, effectsInTrace, executionFrame } from "./ownPart.ts"
import { type CallFrame, findFrame, isCallTo } from "./simulation/CallFrame.ts"
import { failureReason } from "./simulation/failureReason.ts"

const NO_DATA = bytesFromHex("0x")

export interface OutcomeSources {
  readonly rpc: RpcClients["Service"]
  readonly search: OperationSearch
  /** Returns the transactions that may contain the operation, for nodes whose logs lack it. */
  readonly bundleTransactions: (
    searchedOperation: SearchedOperation
  ) => Effect.Effect<ReadonlyArray<Hash32>, UpstreamUnavailable>
}

const logWarnings = (chainId: EvmChainId, hash: Hash32, warnings: ReadonlyArray<string>) =>
  Effect.forEach(
    warnings,
    (reason) => Effect.logWarning(`nodes of ${chainOf(chainId).name} disagree about an operation`, { hash, reason }),
    { discard: true }
  )

/**
 * Returns the outcome of an operation once the nodes agree: at least two nodes, or one if the chain has only one.
 * `judgeInclusion` has the conditions. Native token transfers come from a trace, and are missing if the queried node
 * can't trace.
 */
export const operationOutcome = Effect.fnUntraced(function* (
  sources: OutcomeSources,
  searchedOperation: SearchedOperation
) {
  const { bundleTransactions, rpc, search } = sources
  const { hash, operation } = searchedOperation
  const { chainId } = operation
  const { event, isNonceUsed } = yield* rpc.call(chainId, () => search.find(searchedOperation))
  const isAbsent = event === null && !isNonceUsed
  if (isAbsent && !(yield* rpc.call(chainId, () => isUsedOnOtherNode(rpc, searchedOperation))))
    return Option.none<OperationOutcome>()
  const knownTransactions = event === null ? yield* bundleTransactions(searchedOperation) : []
  const { conclusion, warnings } = yield* rpc.call(chainId, async () => {
    const witnesses = rpc.witnesses(chainId)
    const location =
      inclusionLocation(event) ?? (await locationOnOtherNodes(rpc, witnesses, searchedOperation, knownTransactions))
    return location === null
      ? { conclusion: null, warnings: [] }
      : confirmInclusion(witnesses, searchedOperation, location, event)
  })
  yield* logWarnings(chainId, hash, warnings)
  return Option.fromNullishOr(conclusion)
})

/**
 * Returns the latest time, in Unix seconds, at which all nodes that respond report that an operation is not included.
 * Null if they disagree or are too few.
 */
export const findAbsenceTime = Effect.fnUntraced(function* (
  { bundleTransactions, rpc, search }: OutcomeSources,
  searchedOperation: SearchedOperation
) {
  const { chainId } = searchedOperation.operation
  const knownTransactions = yield* bundleTransactions(searchedOperation)
  const { conclusion, warnings } = yield* rpc.call(chainId, async () => {
    const witnesses = rpc.witnesses(chainId)
    const { number } = await rpc.latestBlock(chainId, RANGE_HEAD_AGE_MS)
    const reports = await requestFromEach(witnesses, (node) =>
      readAbsenceReport(node, searchedOperation, knownTransactions, number)
    )
    const reportedEvent = reports.find(({ event }) => event !== null)?.event
    if (reportedEvent != null) search.recordEvent(searchedOperation, reportedEvent)
    return judgeAbsence(reports, witnesses.required)
  })
  yield* logWarnings(chainId, searchedOperation.hash, warnings)
  return conclusion
})

/** Age in milliseconds from which the nonce of an operation without an expiry is also read from the other nodes. */
const OTHER_NODES_AFTER_MS = 600_000

/**
 * Whether any node reports the nonce of an old operation without an expiry as used. The usual node may be wrong. False
 * for an operation with an expiry: all nodes are queried about it after the expiry.
 */
const isUsedOnOtherNode = async (
  rpc: RpcClients["Service"],
  { fromBlock, operation }: SearchedOperation
): Promise<boolean> => {
  const { chainId, paymaster, validUntil } = operation
  const witnesses = rpc.witnesses(chainId)
  if (paymaster !== null || validUntil !== null || witnesses.nodes.length < 2) return false
  const { number } = await rpc.latestBlock(chainId, RANGE_HEAD_AGE_MS)
  if (Number(number - fromBlock) * chainOf(chainId).blockTimeMs < OTHER_NODES_AFTER_MS) return false
  const flags = await requestFromEach(witnesses, ({ request }) => findUsedNonces(request, [operation], "latest"))
  return flags.flat().includes(true)
}

const inclusionLocation = (
  log: Pick<LogResponse, "transactionHash" | "blockNumber"> | null
): InclusionLocation | null =>
  log?.transactionHash == null || log.blockNumber === null
    ? null
    : { transactionHash: log.transactionHash, blockNumber: BigInt(log.blockNumber) }

/** Finds the transaction of an operation whose nonce is used but whose event the usual node lacks. */
const locationOnOtherNodes = async (
  rpc: RpcClients["Service"],
  witnesses: Witnesses,
  { fromBlock, hash, operation }: SearchedOperation,
  bundleTransactions: ReadonlyArray<Hash32>
): Promise<InclusionLocation | null> => {
  const { number: head } = await rpc.latestBlock(operation.chainId, RANGE_HEAD_AGE_MS)
  const locations = await requestFromEach(witnesses, async ({ request }) => {
    const [logs, ...receipts] = await Promise.all([
      operationLogs(request, operation.entryPoint, { fromBlock, toBlock: "latest", head, topics: [[hash]] }),
      ...bundleTransactions.map((transaction) => request("eth_getTransactionReceipt", [transaction]))
    ])
    return inclusionLocation([...receipts, ...logs].find((candidate) => candidate !== null) ?? null)
  })
  return locations.find((location) => location !== null) ?? null
}

const confirmInclusion = async (
  witnesses: Witnesses,
  searchedOperation: SearchedOperation,
  location: InclusionLocation,
  searchedEvent: LogResponse | null
): Promise<Judgement<OperationOutcome>> => {
  const [usualNode] = witnesses.nodes
  const [reports, usualTrace] = await Promise.all([
    requestFromEach(witnesses, (node) => readInclusionReport(node, searchedOperation, location)),
    usualNode === undefined ? null : traceOrNull(usualNode, location.transactionHash)
  ])
  const { conclusion, warnings } = judgeInclusion(reports, witnesses.required, searchedEvent)
  const decidingReport = conclusion?.[0]
  if (conclusion === null || decidingReport === undefined || decidingReport.receipt === null)
    return { conclusion: null, warnings }
  const trace =
    decidingReport.witness === usualNode
      ? usualTrace
      : await traceOrNull(decidingReport.witness, location.transactionHash)
  const outcome = addPayment(
    conclusion,
    searchedOperation,
    outcomeOf(searchedOperation, decidingReport.receipt, decidingReport.event, decidingReport.timestamp, trace)
  )
  if (conclusion.length === 1 && trace !== null && tracedSuccess(searchedOperation, trace) === !outcome.success) {
    return {
      conclusion: null,
      warnings: [...warnings, `${decidingReport.node}: its trace and its receipt disagree`]
    }
  }
  return { conclusion: outcome, warnings }
}

/**
 * Adds the fee payment. It counts as paid if one of the agreeing nodes shows it, because a missing log must not count
 * as unpaid gas.
 */
const addPayment = (
  reports: ReadonlyArray<InclusionReport>,
  { hash, operation }: SearchedOperation,
  outcome: OperationOutcome
): OperationOutcome => {
  if (operation.paymaster === null || outcome.tokenPayment !== null) return outcome
  const payments = reports.flatMap(({ receipt }) =>
    receipt === null ? [] : (effectsInLogs(operation, hash, receipt.logs).tokenPayment ?? [])
  )
  return { ...outcome, tokenPayment: payments[0] ?? null }
}

const outcomeOf = (
  { hash, operation }: SearchedOperation,
  receipt: ReceiptResponse,
  event: LogResponse,
  blockTimestamp: number,
  trace: CallFrame | null
): OperationOutcome => {
  const { success, actualGasCost } = decodeEventLog({
    abi: entryPointAbi,
    eventName: "UserOperationEvent",
    topics: topicsOf(event),
    data: event.data
  }).args
  const effects = (trace && effectsInTrace(operation, hash, trace)) ?? effectsInLogs(operation, hash, receipt.logs)
  return {
    success,
    transactionHash: hash32FromHex(receipt.transactionHash),
    blockNumber: BigInt(receipt.blockNumber),
    blockHash: hash32FromHex(receipt.blockHash),
    blockTimestamp,
    actualGasCost,
    revert: success
      ? null
      : (revertInTrace(operation, trace && (executionFrame(trace, operation.entryPoint, hash) ?? null)) ??
        revertInReceipt(receipt, hash)),
    ...effects
  }
}

/**
 * Whether the calls of an operation succeeded, according to a trace; null if the trace does not contain the operation.
 */
const tracedSuccess = ({ hash, operation }: SearchedOperation, trace: CallFrame): boolean | null => {
  const execution = executionFrame(trace, operation.entryPoint, hash)
  if (execution === undefined) return null
  const calls = execution.calls?.find((frame) => isCallTo(frame, operation.sender))
  return execution.error === undefined && calls?.error === undefined
}

type Receipt = Pick<ReceiptResponse, "logs">

/** Finds one of the EntryPoint's events for an operation. */
const logOf = (
  receipt: Receipt,
  eventName: "UserOperationEvent" | "UserOperationRevertReason" | "PostOpRevertReason",
  hash: Hash32
): LogResponse | undefined => {
  const [topic] = encodeEventTopics({ abi: entryPointAbi, eventName })
  return receipt.logs.find((log) => log.topics[0] === topic && log.topics[1]?.toLowerCase() === hash)
}

const topicsOf = (log: Pick<LogResponse, "topics">): [Hex, ...Array<Hex>] => {
  const [signature = "0x", ...indexed] = log.topics
  return [signature, ...indexed]
}

const traceOrNull = async ({ request }: Witness, transactionHash: Hex): Promise<CallFrame | null> => {
  try {
    const options = { tracer: "callTracer", tracerConfig: { withLog: true } }
    return await request("debug_traceTransaction", [transactionHash, options])
  } catch {
    return null
  }
}

/**
 * Reads the revert reason from the account's own frame, which also contains failures that contracts in between ignored.
 */
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

/**
 * Reads the return data that the EntryPoint logged for a failed operation: those of its calls, otherwise those of the
 * paymaster's `postOp`.
 */
const revertInReceipt = (receipt: Receipt, hash: Hash32): RevertReason => {
  for (const eventName of ["UserOperationRevertReason", "PostOpRevertReason"] as const) {
    const log = logOf(receipt, eventName, hash)
    if (log === undefined) continue
    const { args } = decodeEventLog({ abi: entryPointAbi, eventName, topics: topicsOf(log), data: log.data })
    return revertReason(bytesFromHex(args.revertReason))
  }
  return revertReason(NO_DATA)
}
