import { chainOf } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { ReceiptResponse } from "../rpc/nodeResponses.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import type { AbsenceReport } from "./evidence.ts"
import { readAbsenceReport } from "./inclusionReports.ts"
import type { SearchedOperation } from "./operationSearch.ts"

/** The report of one node about an operator transaction that contains an operation. */
export interface RevertReport {
  /** Null if the node does not have the transaction, or if its facts contradict each other. */
  readonly status: "REVERTED" | "SUCCEEDED" | null
  readonly receipt: ReceiptResponse | null
}

/** The conclusion from the reports of all nodes. */
export type RevertJudgement =
  | { readonly _tag: "Reverted"; readonly receipt: ReceiptResponse; readonly wei: bigint }
  | { readonly _tag: "Succeeded" }
  | { readonly _tag: "Unclear" }

const costOf = ({ effectiveGasPrice, gasUsed }: ReceiptResponse): bigint => BigInt(gasUsed) * BigInt(effectiveGasPrice)

/**
 * Determines how a transaction ended. Its status is not sufficient: a reverted transaction must also have no events,
 * and its operation must not be included, or be included in another transaction.
 */
export const revertStatusOf = (
  receipt: Pick<ReceiptResponse, "status" | "logs">,
  { event, nonce }: Pick<AbsenceReport, "event" | "nonce">,
  hashes: ReadonlyArray<string>
): RevertReport["status"] => {
  if (receipt.status !== "0x0") return "SUCCEEDED"
  const isInOtherTransaction = event?.transactionHash != null && !hashes.includes(event.transactionHash.toLowerCase())
  const isAbsent = event === null && nonce !== "USED"
  return receipt.logs.length === 0 && (isAbsent || isInOtherTransaction) ? "REVERTED" : null
}

/**
 * Determines whether a transaction reverted: the required number of nodes must report it, and more nodes than report
 * that it succeeded.
 */
export const judgeRevert = (reports: ReadonlyArray<RevertReport>, required: number): RevertJudgement => {
  const reportsWithEnd = (end: RevertReport["status"]) => reports.filter((report) => report.status === end)
  const [reverted, succeeded] = [reportsWithEnd("REVERTED"), reportsWithEnd("SUCCEEDED")]
  if (succeeded.length >= required && succeeded.length > reverted.length) return { _tag: "Succeeded" }
  // Uses the lowest reported cost, so that the result does not exceed the actual cost.
  const [firstRevert] = reverted
    .flatMap(({ receipt }) => (receipt === null ? [] : [{ receipt, wei: costOf(receipt) }]))
    .sort((a, b) => (a.wei < b.wei ? -1 : Number(a.wei > b.wei)))
  return firstRevert !== undefined && reverted.length >= required && reverted.length > succeeded.length
    ? { _tag: "Reverted", ...firstRevert }
    : { _tag: "Unclear" }
}

/**
 * Queries a node for the state of an operation, and of all versions of a transaction that contains it. `head` is the
 * number of a recent block.
 */
export const readRevertReport = async (
  witness: Witness,
  hashes: ReadonlyArray<Hash32>,
  { hash, operation }: Omit<SearchedOperation, "fromBlock">,
  head: bigint
): Promise<RevertReport> => {
  const receipts = await Promise.all(hashes.map((version) => witness.request("eth_getTransactionReceipt", [version])))
  const receipt = receipts.find((receipt) => receipt !== null) ?? null
  if (receipt === null) return { status: null, receipt }
  const block = BigInt(receipt.blockNumber)
  const finalityDepth = BigInt(chainOf(operation.chainId).finalityBlocks)
  const firstBlock = block > finalityDepth ? block - finalityDepth : 0n
  return {
    status: revertStatusOf(
      receipt,
      await readAbsenceReport(witness, { operation, hash, fromBlock: firstBlock }, [], head),
      hashes
    ),
    receipt
  }
}
