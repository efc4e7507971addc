import { assert, describe, it } from "@effect/vitest"
import { hasFormOf } from "./nodeResponses.ts"

const address = `0x${"aB".repeat(20)}`
const hash = `0x${"0c".repeat(32)}`
const log = {
  address,
  topics: [hash],
  data: "0x",
  blockNumber: "0x10",
  blockHash: hash,
  transactionHash: hash,
  logIndex: "0x0"
}
const receipt = {
  transactionHash: hash,
  blockNumber: "0x10",
  blockHash: hash,
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0x1",
  logs: [log]
}
const block = { number: "0x10", hash, timestamp: "0x6a000000", transactions: [hash] }
const frame = { type: "CALL", from: address, to: address, gasUsed: "0x1", input: "0x", output: "0xab" }
const calls = [{ to: address }, "latest", { tracer: "callTracer" }]
const changes = [{ to: address }, "latest", { tracer: "prestateTracer", tracerConfig: { diffMode: true } }]
const account = { balance: "0x1", nonce: 3, code: "0x60", storage: { [hash]: hash } }

const otherHash = `0x${"0d".repeat(32)}`
const range = { fromBlock: "0x10", toBlock: "0x20" }

const deep = (inner: unknown) => ({ ...frame, calls: [frame, { ...frame, calls: [inner] }] })

describe("a node's response", () => {
  it.each([
    ["eth_getTransactionReceipt", [], receipt],
    ["eth_getTransactionReceipt", [], null],
    ["eth_getBlockByNumber", [], block],
    ["eth_getBlockByNumber", [], { ...block, number: null, hash: null, baseFeePerGas: "0x7" }],
    ["eth_getLogs", [], [log, { ...log, blockNumber: null, blockTimestamp: null }]],
    ["eth_getLogs", [{ address: address.toLowerCase(), topics: [[otherHash, hash.toUpperCase()]], ...range }], [log]],
    ["eth_getLogs", [{ address: [otherHash, address], topics: [null], toBlock: "latest" }], [log]],
    ["eth_getLogs", [{ address: [], topics: [[]], blockHash: hash }], [log]],
    [
      "eth_feeHistory",
      [],
      { oldestBlock: "0x1", gasUsedRatio: [0.5], baseFeePerGas: ["0x1", "0x2"], reward: [["0x0"]] }
    ],
    ["eth_getProof", [], { codeHash: hash, storageProof: [{ key: "0x0", value: "0x0", proof: [] }] }],
    ["debug_traceCall", calls, deep({ ...frame, error: "reverted", logs: [{ address, topics: [], data: "0x" }] })],
    ["debug_traceCall", changes, { pre: { [address]: account }, post: { [address]: {} } }],
    ["debug_traceCall", [{}, "latest", { tracer: "another" }], { anything: true }],
    [
      "debug_traceBlockByNumber",
      [],
      [
        { txHash: hash, result: frame },
        { txHash: hash, error: "execution timeout" }
      ]
    ],
    ["a_method", [], "whatever"]
  ])("to %s %j is accepted", (method, params, result) => {
    assert.isTrue(hasFormOf(method, params, result))
  })

  it.each([
    ["eth_blockNumber", [], "0xffffffffffffffff"],
    ["eth_call", [], "0xabc"],
    ["eth_getTransactionCount", [], "0x"],
    ["eth_getTransactionReceipt", [], { ...receipt, blockNumber: undefined }],
    ["eth_getTransactionReceipt", [], { ...receipt, gasUsed: 21_000 }],
    ["eth_getTransactionReceipt", [], { ...receipt, logs: [{ ...log, topics: ["0x01"] }] }],
    ["eth_getBlockByNumber", [], { ...block, timestamp: `0x${"f".repeat(20)}` }],
    ["eth_getLogs", [], [log, null]],
    ["eth_getLogs", [{ address: `0x${"cd".repeat(20)}` }], [log]],
    ["eth_getLogs", [{ topics: [otherHash] }], [log]],
    ["eth_getLogs", [{ topics: [null, hash] }], [log]],
    ["eth_getLogs", [{ blockHash: otherHash }], [log]],
    ["eth_getLogs", [range], [log, { ...log, blockNumber: "0x21" }]],
    ["eth_getLogs", [range], [{ ...log, blockNumber: "0xf" }]],
    ["eth_getLogs", [], [{ ...log, data: "0xzz" }]],
    ["eth_feeHistory", [], { oldestBlock: "0x1", gasUsedRatio: [0.5] }],
    ["eth_getProof", [], { codeHash: hash, storageProof: [{ key: "0x0" }] }],
    ["eth_maxPriorityFeePerGas", [], `0x1${"0".repeat(16)}`],
    ["eth_feeHistory", [], { oldestBlock: "0x1", gasUsedRatio: [0.5], baseFeePerGas: [`0x${"f".repeat(32)}`] }],
    ["eth_getTransactionReceipt", [], { ...receipt, gasUsed: `0x${"f".repeat(14)}` }],
    ["eth_getTransactionReceipt", [], { ...receipt, effectiveGasPrice: `0x${"f".repeat(17)}` }],
    ["debug_traceCall", calls, {}],
    ["debug_traceCall", calls, { ...frame, gasUsed: `0x${"f".repeat(14)}` }],
    ["debug_traceCall", calls, deep({ ...frame, input: undefined })],
    ["debug_traceCall", calls, deep({ ...frame, to: null })],
    ["debug_traceTransaction", calls, deep({ ...frame, logs: [{ address, topics: [hash] }] })],
    ["debug_traceCall", changes, frame],
    ["debug_traceCall", changes, { pre: {}, post: { [address]: { ...account, nonce: "0x1" } } }],
    ["debug_traceCall", changes, { pre: {}, post: { [address]: { ...account, nonce: -1 } } }]
  ])("to %s %j is rejected if it is malformed", (method, params, result) => {
    assert.isFalse(hasFormOf(method, params, result))
  })
})
