import { assert, describe, it } from "@effect/vitest"
import type { Hex } from "viem"
import { accountContracts } from "../deployments/index.ts"
import type { BlockResponse, CallFrame, FlatTrace } from "../evm/index.ts"
import {
  nativeTransfersInFlatTraces,
  nativeTransfersInTraces,
  nativeTransfersInTransactions
} from "./nativeTransfersInBlocks.ts"

const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`
const [a, b, c, d] = ["a", "b", "c", "d"].map(addressOf) as [Hex, Hex, Hex, Hex]
const hash: Hex = `0x${"1".repeat(64)}`

const block = (transactions: ReadonlyArray<unknown> = [hash]): BlockResponse => ({
  number: "0x1",
  hash: `0x${"2".repeat(64)}`,
  timestamp: "0x5",
  transactions
})

const frame = (fields: Partial<CallFrame>): CallFrame => ({
  type: "CALL",
  from: a,
  to: b,
  value: "0x0",
  gasUsed: "0x0",
  input: "0x",
  ...fields
})

const summaryOf = (moved: ReturnType<typeof nativeTransfersInTraces>) =>
  moved.map(({ transactionHash, transfer: { amount, from, to } }) => {
    assert.strictEqual(transactionHash, hash)
    return [from, to, amount]
  })

describe("native token transfers in a block", () => {
  it("are read from its transactions and their internal calls, without failed calls", () => {
    const result = frame({
      value: "0x5",
      calls: [
        frame({ from: b, to: c, value: "0x3" }),
        frame({ from: b, to: c, value: "0x9", error: "reverted", calls: [frame({ from: c, to: d, value: "0x9" })] }),
        frame({ type: "DELEGATECALL", from: b, to: d, value: "0x5" }),
        frame({ type: "CREATE2", from: b, to: d, value: "0x2" }),
        frame({ type: "STATICCALL", from: b, to: d, value: undefined }),
        frame({ from: b, to: b, value: "0x7" }),
        frame({ from: b, to: accountContracts.entryPoint08, value: "0x8" })
      ]
    })
    assert.deepStrictEqual(summaryOf(nativeTransfersInTraces(block(), [{ txHash: hash, result }])), [
      [a, b, 5n],
      [b, c, 3n],
      [b, d, 2n]
    ])
    assert.deepStrictEqual(nativeTransfersInTraces(block(), [{ result: { ...result, error: "out of gas" } }]), [])
  })

  it("are the same in flat traces", () => {
    const step = (traceAddress: ReadonlyArray<number>, fields: Partial<FlatTrace>): FlatTrace => ({
      type: "call",
      action: { from: a, to: b, value: "0x0", callType: "call" },
      traceAddress,
      transactionHash: hash,
      ...fields
    })
    const call = (from: Hex, to: Hex, value: Hex, callType = "call") => ({ action: { from, to, value, callType } })
    const steps = [
      step([], call(a, b, "0x5")),
      step([0], call(b, c, "0x3")),
      step([1], { ...call(b, c, "0x9"), error: "Reverted" }),
      step([1, 0], call(c, d, "0x9")),
      step([2], call(b, d, "0x5", "delegatecall")),
      step([3], { type: "create", action: { from: b, value: "0x2" }, result: { address: d } }),
      step([4], { type: "suicide", action: { address: b, refundAddress: c, balance: "0x4" } }),
      step([], { type: "reward", action: { value: "0xff" }, transactionHash: null })
    ]
    assert.deepStrictEqual(summaryOf(nativeTransfersInFlatTraces(block(), steps)), [
      [a, b, 5n],
      [b, c, 3n],
      [b, d, 2n],
      [b, c, 4n]
    ])
  })

  it("are only those of the transactions if no node returns the internal calls", () => {
    const transactions = [
      { hash, from: a, to: b, value: "0x5" },
      { hash, from: a, to: null, value: "0x5" },
      { hash, from: a, to: c, value: "0x0" }
    ]
    assert.deepStrictEqual(summaryOf(nativeTransfersInTransactions(block(transactions))), [[a, b, 5n]])
  })

  it("are not read from the trace of another block", () => {
    assert.throws(() => nativeTransfersInTraces(block(), []))
    assert.throws(() => nativeTransfersInTraces(block(), [{ txHash: `0x${"3".repeat(64)}`, result: frame({}) }]))
    assert.throws(() => nativeTransfersInFlatTraces(block(), []))
  })
})
