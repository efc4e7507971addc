import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { Evidence, IncludedOperation } from "@countersign/core/wallets/chain-activity"
import { decodeEventLog, type Hex, zeroAddress } from "viem"
import { HostFailure, ResponseTooLarge } from "../../outbound/json-api/index.ts"
import {
  addressFromHex,
  entryPointAbi,
  hash32FromHex,
  type ReceiptResponse,
  type RpcClients,
  requestFromEach,
  transferInLog
} from "../evm/index.ts"
import { senderOf } from "./touches.ts"

/**
 * Returns the fields of a receipt on which nodes must agree, as text. An invented or missing log would change balances.
 */
const receiptKey = ({ blockHash, logs, status }: ReceiptResponse): string =>
  JSON.stringify([blockHash, status, logs.map(({ address, data, topics }) => [address, topics, data])]).toLowerCase()

/** Returns the receipt on which enough nodes agree; null if they do not agree. */
const agreedReceipt = (receipts: ReadonlyArray<ReceiptResponse | null>, required: number): ReceiptResponse | null => {
  const groups = Map.groupBy(
    receipts.filter((receipt) => receipt !== null),
    receiptKey
  )
  return [...groups.values()].find(({ length }) => length >= required)?.[0] ?? null
}

const operationOf = (log: ReceiptResponse["logs"][number]): IncludedOperation | null => {
  const sender = senderOf(log)
  if (sender === null) return null
  const { args } = decodeEventLog({
    abi: entryPointAbi,
    eventName: "UserOperationEvent",
    topics: log.topics as [Hex, ...Array<Hex>],
    data: log.data
  })
  return {
    hash: hash32FromHex(args.userOpHash),
    sender,
    paysInNativeToken: args.paymaster === zeroAddress,
    actualGasCost: args.actualGasCost
  }
}

/**
 * Reads a transaction on which the chain's nodes agree. Null while they disagree, or if no block contains the
 * transaction. TOO_LARGE if enough nodes have a receipt that is larger than the limit.
 */
export const transactionEvidence = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  transactionHash: Hash32
): Promise<Evidence | "TOO_LARGE" | null> => {
  const witnesses = rpc.witnesses(chainId)
  const responses = await requestFromEach(witnesses, ({ request }) =>
    request("eth_getTransactionReceipt", [transactionHash]).catch((thrown: unknown) => {
      if (thrown instanceof ResponseTooLarge) return "TOO_LARGE" as const
      throw thrown
    })
  )
  const receipts = responses.filter((response) => response !== "TOO_LARGE")
  const receipt = agreedReceipt(receipts, witnesses.required)
  if (receipt === null) return responses.length - receipts.length >= witnesses.required ? "TOO_LARGE" : null
  const block = await rpc.request(chainId, "eth_getBlockByHash", [receipt.blockHash, false])
  if (block === null) return null
  if (receipt.from === undefined) throw new HostFailure("its receipt has no sender")
  return {
    block: { number: Number(receipt.blockNumber), hash: hash32FromHex(receipt.blockHash), at: Number(block.timestamp) },
    success: receipt.status !== "0x0",
    from: addressFromHex(receipt.from),
    fee: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) + BigInt(receipt.l1Fee ?? 0),
    transfers: receipt.logs.map((log) => transferInLog(chainId, log)).filter((transfer) => transfer !== null),
    operations: receipt.logs.map(operationOf).filter((operation) => operation !== null)
  }
}
