import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  numberToHex
} from "viem"
import type { AnvilRpc, RpcCall } from "../anvil/AnvilRpc.ts"
import { feeFieldsOf } from "../gasPrices.ts"

const TRANSACTION_GAS_LIMIT = 40_000_000

/** A transaction of an account that is unlocked in anvil. */
export interface Transaction {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value?: bigint
}

type WriteMutability = "nonpayable" | "payable"

/** Returns a function that builds transactions to contracts with this ABI. */
export const callsOf =
  <const abi extends Abi>(abi: abi) =>
  <name extends ContractFunctionName<abi, WriteMutability>>(
    from: Address,
    to: Address,
    functionName: name,
    args: ContractFunctionArgs<abi, WriteMutability, name>,
    value = 0n
  ): Transaction => {
    const data = encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters)
    return { from, to, value, data }
  }

/** Mines transactions in one block. All of them must succeed. The nonces are explicit, because a batch has no order. */
export const mineInOneBlock = async (
  rpc: AnvilRpc,
  chainId: EvmChainId,
  transactions: ReadonlyArray<Transaction>
): Promise<void> => {
  const senders = [...new Set(transactions.map(({ from }) => from))]
  const counts = await rpc.batch(
    senders.map((from) => ({ method: "eth_getTransactionCount", params: [from, "latest"] }))
  )
  const nonces = new Map(senders.map((from, index) => [from, Number(counts[index])]))
  const calls = transactions.map(({ from, to, data, value }): RpcCall => {
    const nonce = nonces.get(from)!
    nonces.set(from, nonce + 1)
    const valueHex = numberToHex(value ?? 0n)
    const fields = {
      ...feeFieldsOf(chainId),
      from,
      to,
      data,
      value: valueHex,
      nonce: numberToHex(nonce),
      gas: numberToHex(TRANSACTION_GAS_LIMIT)
    }
    return { method: "eth_sendTransaction", params: [fields] }
  })
  const hashes = await rpc.batch(calls)
  await rpc.call("evm_mine")
  const receipts = await rpc.batch(hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })))
  receipts.forEach((receipt, index) => {
    if ((receipt as { status?: string } | null)?.status !== "0x1") {
      throw new Error(`the deployment's call to ${transactions[index]?.to} failed`)
    }
  })
}
