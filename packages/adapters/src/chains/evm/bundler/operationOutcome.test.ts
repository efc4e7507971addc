import { Hash32 } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { encodeAbiParameters, encodeFunctionResult, type Hex, padHex, parseAbiParameters } from "viem"
import { randomOperation, seededRandom } from "../../../../test/evm/randomOperation.ts"
import { multicall3Abi } from "../abi/multicall3.ts"
import type { RpcClients } from "../RpcClients.ts"
import type { LogResponse, ReceiptResponse } from "../rpc/nodeResponses.ts"
import type { Witness } from "../rpc/Witnesses.ts"
import { operationOutcome } from "./operationOutcome.ts"
import type { OperationSearch, SearchResult } from "./operationSearch.ts"
import { USER_OPERATION_EVENT } from "./simulation/simulationTrace.ts"

const word = (digit: string): Hex => `0x${digit.repeat(64)}`
const hash = Hash32.make(word("a"))
const [transactionHash, blockHash] = [word("b"), word("c")]
const HEAD = 1_000n

const operation = { ...randomOperation(seededRandom(7), "0.8"), nonce: 5n, paymaster: null, validUntil: null }

const eventWith = (success: boolean): LogResponse => ({
  address: operation.entryPoint,
  topics: [USER_OPERATION_EVENT, hash, padHex(operation.sender, { size: 32 }), word("0")],
  data: encodeAbiParameters(parseAbiParameters("uint256, bool, uint256, uint256"), [5n, success, 7n, 1n]),
  blockNumber: "0x10",
  blockHash,
  transactionHash,
  logIndex: "0x0",
  blockTimestamp: "0x5"
})

const receiptWith = (success: boolean): ReceiptResponse => ({
  transactionHash,
  blockNumber: "0x10",
  blockHash,
  status: "0x1",
  gasUsed: "0x1",
  effectiveGasPrice: "0x1",
  logs: [eventWith(success)]
})

interface NodeState {
  readonly name?: string
  /** Whether the node's event reports success. */
  readonly success?: boolean
  readonly isNonceUsed?: boolean
  readonly hasLogs?: boolean
}

/** A node that has the receipt of the operation's transaction. */
const nodeWith = ({ hasLogs = true, isNonceUsed = true, name = "node", success = true }: NodeState): Witness => {
  const nextNonce = encodeAbiParameters([{ type: "uint256" }], [isNonceUsed ? 6n : 5n])
  const responses: Readonly<Record<string, unknown>> = {
    eth_call: encodeFunctionResult({
      abi: multicall3Abi,
      functionName: "aggregate3",
      result: [{ success: true, returnData: nextNonce }]
    }),
    eth_getTransactionReceipt: receiptWith(success),
    eth_getBlockByNumber: { number: "0x10", hash: blockHash, timestamp: "0x5", transactions: [transactionHash] },
    eth_getLogs: hasLogs ? [eventWith(success)] : []
  }
  const request = async (method: string) => {
    if (responses[method] === undefined) throw new Error(`the method ${method} is not supported`)
    return responses[method]
  }
  return { name, request: request as Witness["request"] }
}

/** Returns the success flag of the outcome, if the search has this result; null if there is no outcome. */
const successOf = (nodes: ReadonlyArray<Witness>, searchResult: SearchResult, fromBlock = HEAD - 10n) =>
  Effect.gen(function* () {
    const rpc = {
      call: (_chain: number, use: () => Promise<unknown>) => Effect.promise(use),
      witnesses: () => ({ nodes, required: Math.min(2, nodes.length) }),
      latestBlock: async () => ({ number: HEAD })
    } as unknown as RpcClients["Service"]
    const search: OperationSearch = { find: async () => searchResult, recordEvent: () => {} }
    const sources = { rpc, search, bundleTransactions: () => Effect.succeed([]) }
    const outcome = yield* operationOutcome(sources, { operation, hash, fromBlock })
    return Option.match(outcome, { onNone: () => null, onSome: ({ success }) => success })
  })

describe("operationOutcome", () => {
  it.effect("returns the outcome on which most nodes agree, if nodes have the same host name", () =>
    Effect.gen(function* () {
      const nodes = [false, true, true].map((success) => nodeWith({ name: "lb.example", success }))
      assert.isTrue(yield* successOf(nodes, { event: eventWith(true), isNonceUsed: true }))
    })
  )

  it.effect("queries all nodes about an old operation without an expiry if the usual node does not have it", () =>
    Effect.gen(function* () {
      const nodes = [nodeWith({ name: "usual", isNonceUsed: false, hasLogs: false }), nodeWith({ name: "other" })]
      const absent = { event: null, isNonceUsed: false }
      assert.isNull(yield* successOf(nodes, absent))
      assert.isTrue(yield* successOf(nodes, absent, HEAD - 50n))
      assert.isNull(yield* successOf(nodes.slice(0, 1), absent, HEAD - 50n))
    })
  )
})
