import {
  type ChainView,
  type NodeReport,
  type NodeReports,
  needsSettledCount,
  type OperatorTransaction,
  SETTLED_BLOCKS,
  transactionsToQuery
} from "@countersign/core/operations/operator"
import { type Hex, numberToHex, type PublicClient } from "viem"
import { suggestedFees } from "../gasPrice.ts"
import { versionReceipt } from "./versionReceipt.ts"

/** A block that an earlier check read. A later check detects a reorg by it. */
export interface SeenBlock {
  readonly number: bigint
  readonly hash: Hex
}

/** The result of one check of an operator account on its chain. */
export interface OperatorAccountCheck {
  readonly view: ChainView
  readonly nodeReports: NodeReports
  readonly seenBlock: SeenBlock | null
}

const blockAt = (client: PublicClient, number: Hex | "latest") =>
  client.request({ method: "eth_getBlockByNumber", params: [number, false] })

const countAt = async (client: PublicClient, address: Hex, block: Hex | "latest" | "pending"): Promise<number> =>
  Number(await client.request({ method: "eth_getTransactionCount", params: [address, block] }))

/** Finds the version of a transaction that has a receipt, once its nonce is used. */
const findInBlocks = async (client: PublicClient, { hash, replaced }: OperatorTransaction): Promise<NodeReport> => {
  const receipt = await versionReceipt(client, [hash, ...replaced])
  return receipt === null
    ? { _tag: "Unknown" }
    : { _tag: "InBlock", block: Number(receipt.blockNumber), success: receipt.status !== "0x0" }
}

const findInPool = async (client: PublicClient, { hash }: OperatorTransaction): Promise<NodeReport> => {
  const existingTransaction = await client.request({ method: "eth_getTransactionByHash", params: [hash] })
  return { _tag: existingTransaction === null ? "Unknown" : "Pooled" }
}

/**
 * Reads the state of an operator account from a node, in one HTTP request. Sends another request if something is
 * unclear. `before` is the block of the previous check; null if there was none.
 */
export const checkOperatorAccount = async (
  client: PublicClient,
  address: Hex,
  rows: ReadonlyArray<OperatorTransaction>,
  before: SeenBlock | null,
  nowMs: number
): Promise<OperatorAccountCheck> => {
  const [latestBlock, previousBlock, fees, count, pendingCount] = await Promise.all([
    blockAt(client, "latest"),
    before === null ? null : blockAt(client, numberToHex(before.number)),
    suggestedFees(client),
    countAt(client, address, "latest"),
    countAt(client, address, "pending")
  ])
  const number = latestBlock === null || latestBlock.number === null ? fees.blockNumber : BigInt(latestBlock.number)
  const view: ChainView = {
    head: Number(number),
    count,
    pendingCount,
    settledCount: null,
    goesOn: before !== null && previousBlock?.hash === before.hash,
    baseFeePerGas: fees.baseFeePerGas,
    suggested: fees,
    nowMs
  }
  const unclearTransactions = transactionsToQuery(rows, view)
  const isUsed = ({ nonce }: OperatorTransaction) => nonce < count
  const settledBlock = number - BigInt(SETTLED_BLOCKS)
  const [settledCount, nodeReports] = await Promise.all([
    needsSettledCount(rows, view) && settledBlock >= 0n
      ? countAt(client, address, numberToHex(settledBlock)).catch(() => null)
      : null,
    Promise.all(
      unclearTransactions.map(
        async (row) => [row.nonce, await (isUsed(row) ? findInBlocks : findInPool)(client, row)] as const
      )
    )
  ])
  return {
    view: { ...view, settledCount },
    nodeReports: new Map(nodeReports),
    seenBlock: latestBlock?.hash == null ? null : { number, hash: latestBlock.hash }
  }
}
