import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  keccak256,
  parseAbi,
  toEventSelector
} from "viem"
import type { ResponseOverride, RpcResponse } from "../../../adapters/test/faults/FaultProxy.ts"

/** False responses of a node about operations that were executed successfully. */

const entryPointAbi = parseAbi(["function getNonce(address sender, uint192 key) view returns (uint256)"])
const multicall3Abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)"
])
const USER_OPERATION_EVENT = toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
const GET_NONCE = "35567e1a"

interface Log {
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

/** Inverts the success flag, which is the second word of the event's data. */
const flipSuccess = <L extends Log>(log: L): L => {
  if (log.topics[0] !== USER_OPERATION_EVENT) return log
  const flag = log.data.at(2 + 127) === "1" ? "0" : "1"
  return { ...log, data: log.data.slice(0, 2 + 127) + flag + log.data.slice(2 + 128) }
}

const resultOf = async <A>(forward: () => Promise<RpcResponse>): Promise<A> => (await forward()).result as A

const firstOverride =
  (...overrides: ReadonlyArray<ResponseOverride>): ResponseOverride =>
  (request, right) =>
    overrides.reduce<ReturnType<ResponseOverride>>(
      (response, override) => response ?? override(request, right),
      undefined
    )

const noLogs: ResponseOverride = ({ method }) => (method === "eth_getLogs" ? Promise.resolve([]) : undefined)

const flippedLogs: ResponseOverride = ({ method }, right) =>
  method === "eth_getLogs" ? resultOf<ReadonlyArray<Log>>(right).then((logs) => logs.map(flipSuccess)) : undefined

const flippedReceipt: ResponseOverride = ({ method }, right) =>
  method === "eth_getTransactionReceipt"
    ? resultOf<{ readonly logs: ReadonlyArray<Log> } | null>(right).then(
        (receipt) => receipt && { ...receipt, logs: receipt.logs.map(flipSuccess) }
      )
    : undefined

const otherReceipt: ResponseOverride = ({ method }, right) =>
  method === "eth_getTransactionReceipt"
    ? resultOf<Record<string, unknown> | null>(right).then(
        (receipt) => receipt && { ...receipt, transactionHash: `0x${"ab".repeat(32)}` }
      )
    : undefined

const noReceipt: ResponseOverride = ({ method }) =>
  method === "eth_getTransactionReceipt" ? Promise.resolve(null) : undefined

const dropTransaction: ResponseOverride = ({ method, params }) =>
  method === "eth_sendRawTransaction" ? Promise.resolve(keccak256(params[0] as Hex)) : undefined

/** Drops the first `times` transactions although the response reports them as accepted. Forwards all later ones. */
const dropTransactions = (times: number): ResponseOverride => {
  let remainingDrops = times
  return (request, right) => {
    if (request.method !== "eth_sendRawTransaction" || remainingDrops === 0) return undefined
    remainingDrops -= 1
    return dropTransaction(request, right)
  }
}

const overrideNonces =
  (usedCount: bigint): ResponseOverride =>
  ({ method, params }) => {
    const { data } = (params[0] ?? {}) as { readonly data?: Hex }
    if (method !== "eth_call" || data?.includes(GET_NONCE) !== true) return undefined
    try {
      const [calls] = decodeFunctionData({ abi: multicall3Abi, data }).args
      const result = calls.map(({ callData }) => {
        const [, key] = decodeFunctionData({ abi: entryPointAbi, data: callData }).args
        return { success: true, returnData: encodeAbiParameters([{ type: "uint256" }], [(key << 64n) + usedCount]) }
      })
      return Promise.resolve(encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result }))
    } catch {
      return undefined
    }
  }

/** Hides the logs and the receipt of an operation. Only its trace and its nonce still show that it is included. */
export const tracesAlone: ResponseOverride = firstOverride(noLogs, noReceipt)

/** Hides the logs and the receipt of an operation, and reports its nonce as unused. */
export const hideEverything: ResponseOverride = firstOverride(noLogs, noReceipt, overrideNonces(0n))

/** Returns a false hash for each block that is not requested as `latest`. */
export const otherBlocks: ResponseOverride = ({ method, params }, right) =>
  method === "eth_getBlockByNumber" && params[0] !== "latest"
    ? resultOf<Record<string, unknown> | null>(right).then(
        (block) => block && { ...block, hash: `0x${"cd".repeat(32)}` }
      )
    : undefined

export interface LieCase {
  readonly name: string
  readonly lie: () => ResponseOverride
  /** Whether the operation ends although the node lies: with only this node, and with an additional honest node. */
  readonly endsAlone: boolean
  readonly endsBesideAnother: boolean
}

export const lieCases: ReadonlyArray<LieCase> = [
  { name: "has no logs", lie: () => noLogs, endsAlone: true, endsBesideAnother: true },
  { name: "flips the success flag in logs", lie: () => flippedLogs, endsAlone: false, endsBesideAnother: true },
  { name: "flips the success flag in receipts", lie: () => flippedReceipt, endsAlone: false, endsBesideAnother: false },
  {
    name: "flips the success flag in both",
    lie: () => firstOverride(flippedLogs, flippedReceipt),
    endsAlone: false,
    endsBesideAnother: false
  },
  {
    name: "returns the receipt of another transaction",
    lie: () => otherReceipt,
    endsAlone: false,
    endsBesideAnother: false
  },
  { name: "has no receipts", lie: () => noReceipt, endsAlone: false, endsBesideAnother: false },
  { name: "drops the first transactions", lie: () => dropTransactions(3), endsAlone: true, endsBesideAnother: true },
  { name: "drops every transaction", lie: () => dropTransaction, endsAlone: false, endsBesideAnother: true },
  { name: "says that no nonce is used", lie: () => overrideNonces(0n), endsAlone: false, endsBesideAnother: true },
  { name: "says that every nonce is used", lie: () => overrideNonces(1n), endsAlone: true, endsBesideAnother: true }
]
