import {
  formatTransaction,
  formatTransactionReceipt,
  type Hex,
  hexToBigInt,
  parseEventLogs,
  type RpcTransaction,
  type RpcTransactionReceipt
} from "viem"
import { entryPointAbi, erc20Abi } from "../../src/chains/evm/index.ts"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"

/** A transaction, its receipt, and the timestamp of its block, as a node returns them. */
export interface ChainTransaction {
  readonly transaction: RpcTransaction
  readonly receipt: RpcTransactionReceipt
  /** Unix seconds. */
  readonly timestamp: Hex
}

/** Reads a transaction. Null if it is not included in a block. */
export const chainTransactionOrNull = async (rpc: AnvilRpc, hash: string): Promise<ChainTransaction | null> => {
  const [transaction, receipt] = await rpc.batch([
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] }
  ])
  if (transaction === null || receipt === null) return null
  const includedReceipt = receipt as RpcTransactionReceipt
  const { timestamp } = (await rpc.call("eth_getBlockByHash", includedReceipt.blockHash, false)) as {
    readonly timestamp: Hex
  }
  return { transaction: transaction as RpcTransaction, receipt: includedReceipt, timestamp }
}

/** Decodes what a transaction did, for display. Amounts are in base units. */
export const detailsOf = ({ receipt: rawReceipt, timestamp, transaction }: ChainTransaction) => {
  const receipt = formatTransactionReceipt(rawReceipt)
  const { logs } = receipt
  return {
    hash: receipt.transactionHash,
    blockNumber: receipt.blockNumber,
    time: new Date(Number(hexToBigInt(timestamp)) * 1000),
    isSuccess: receipt.status === "success",
    from: receipt.from,
    to: receipt.to,
    deployed: receipt.contractAddress ?? null,
    value: formatTransaction(transaction).value,
    gasUsed: receipt.gasUsed,
    gasPrice: receipt.effectiveGasPrice,
    transfers: parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs }).map(({ address, args }) => ({
      token: address,
      ...args
    })),
    operations: parseEventLogs({ abi: entryPointAbi, eventName: "UserOperationEvent", logs }).map(({ args }) => args)
  }
}
