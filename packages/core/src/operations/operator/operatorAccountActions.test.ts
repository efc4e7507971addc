import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import type { ChainView, NodeReport } from "./chainView.ts"
import { anOperatorAccount, anOperatorTransaction } from "./OperatorTransaction.fixture.ts"
import type { OperatorTransaction, OperatorTransactionState } from "./OperatorTransaction.ts"
import {
  isCredible,
  needsSettledCount,
  nextNonce,
  type OperatorAccountAction,
  operatorAccountActions,
  replacementFees,
  transactionsToQuery
} from "./operatorAccountActions.ts"

const GWEI = 1_000_000_000n
const SETTLED_DEPTH = 12

const aView = (fields: Partial<ChainView> = {}): ChainView => ({
  head: 101,
  count: 5,
  pendingCount: 5,
  settledCount: null,
  goesOn: true,
  baseFeePerGas: 10n * GWEI,
  suggested: { maxFeePerGas: 21n * GWEI, maxPriorityFeePerGas: GWEI },
  nowMs: DateTime.toEpochMillis(at(0)),
  ...fields
})

const operatorAccount = anOperatorAccount()
const transactionAt = (
  nonce: number,
  state: OperatorTransactionState = "SENT",
  fields: Partial<OperatorTransaction> = {}
) => anOperatorTransaction(operatorAccount, nonce, { state, ...fields })

const unknownReport: NodeReport = { _tag: "Unknown" }
const pooledReport: NodeReport = { _tag: "Pooled" }
const inBlockReport = (block: number, success = true): NodeReport => ({ _tag: "InBlock", block, success })

const actionTextOf = (action: OperatorAccountAction): string => {
  switch (action._tag) {
    case "Fill":
      return `Fill ${action.nonce}`
    case "Replace":
    case "Settle":
      return `${action._tag} ${action.before.nonce}`
    default:
      return `${action._tag} ${action.before.nonce} ${action.before.state}>${action.after.state}@${action.after.block}`
  }
}

interface Case {
  readonly when: string
  readonly rows: ReadonlyArray<OperatorTransaction>
  readonly view?: Partial<ChainView>
  readonly nodeReports?: ReadonlyArray<readonly [number, NodeReport]>
  readonly calls: ReadonlyArray<string>
}

const lateMs = DateTime.toEpochMillis(at(60_000))
const baseFeeSpike = { baseFeePerGas: 40n * GWEI, suggested: { maxFeePerGas: 81n * GWEI, maxPriorityFeePerGas: GWEI } }

const cases: ReadonlyArray<Case> = [
  { when: "there are no transactions", rows: [], calls: [] },
  { when: "all are in the mempool", rows: [transactionAt(5), transactionAt(6)], view: { pendingCount: 7 }, calls: [] },
  {
    when: "a node dropped them",
    rows: [transactionAt(5), transactionAt(6), transactionAt(7)],
    nodeReports: [
      [5, unknownReport],
      [6, pooledReport],
      [7, unknownReport]
    ],
    calls: ["Rebroadcast 5 SENT>SENT@100", "Rebroadcast 7 SENT>SENT@100"]
  },
  {
    when: "one is in a block",
    rows: [transactionAt(4), transactionAt(5)],
    view: { pendingCount: 6 },
    nodeReports: [[4, inBlockReport(101)]],
    calls: ["Record 4 SENT>MINED@101"]
  },
  {
    when: "one reverted",
    rows: [transactionAt(4)],
    nodeReports: [[4, inBlockReport(101, false)]],
    calls: ["Record 4 SENT>REVERTED@101"]
  },
  {
    when: "a reorg removed one that is still in the mempool",
    rows: [transactionAt(4, "MINED", { block: 99 }), transactionAt(5, "MINED")],
    view: { pendingCount: 6, goesOn: false },
    nodeReports: [
      [4, inBlockReport(99)],
      [5, pooledReport]
    ],
    calls: ["Record 5 MINED>SENT@101"]
  },
  {
    when: "a reorg removed two and the node dropped them",
    rows: [transactionAt(5, "MINED"), transactionAt(6, "MINED")],
    view: { goesOn: false },
    nodeReports: [
      [5, unknownReport],
      [6, unknownReport]
    ],
    calls: ["Rebroadcast 5 MINED>SENT@101", "Rebroadcast 6 MINED>SENT@101"]
  },
  {
    when: "a reorg moved one to another block",
    rows: [transactionAt(4, "MINED", { block: 99 })],
    view: { goesOn: false },
    nodeReports: [[4, inBlockReport(101)]],
    calls: ["Record 4 MINED>MINED@101"]
  },
  {
    when: "the nonce of one is used by an unknown transaction",
    rows: [transactionAt(4)],
    view: { settledCount: 4 },
    nodeReports: [[4, unknownReport]],
    calls: []
  },
  {
    when: "the nonce of one is used by another transaction, two blocks deep",
    rows: [transactionAt(4)],
    view: { settledCount: 5 },
    nodeReports: [[4, unknownReport]],
    calls: ["Record 4 SENT>LOST@101"]
  },
  {
    when: "a reorg replaced one by another transaction",
    rows: [transactionAt(4, "MINED")],
    view: { goesOn: false, settledCount: 4 },
    nodeReports: [[4, unknownReport]],
    calls: ["Record 4 MINED>SENT@101"]
  },
  {
    when: "one that was marked as lost is in a block",
    rows: [transactionAt(4, "LOST")],
    view: { goesOn: false },
    nodeReports: [[4, inBlockReport(101)]],
    calls: ["Record 4 LOST>MINED@101"]
  },
  {
    when: "a nonce is missing",
    rows: [transactionAt(5), transactionAt(7)],
    nodeReports: [[7, pooledReport]],
    calls: ["Fill 6"]
  },
  {
    when: "an external transaction with a nonce is in the mempool",
    rows: [transactionAt(6)],
    view: { pendingCount: 7 },
    calls: []
  },
  {
    when: "an external transaction stays in the mempool for a minute",
    rows: [transactionAt(6)],
    view: { pendingCount: 7, nowMs: lateMs },
    calls: ["Fill 5"]
  },
  {
    when: "a reorg removed the transaction that had used a lost one's nonce",
    rows: [transactionAt(5, "LOST"), transactionAt(6)],
    view: { head: 102, settledCount: 5 },
    nodeReports: [[6, pooledReport]],
    calls: ["Fill 5"]
  },
  {
    when: "a reorg removed a reverted one, and a later one waits for its nonce",
    rows: [transactionAt(5, "REVERTED"), transactionAt(6)],
    view: { head: 102, settledCount: 5 },
    nodeReports: [[6, pooledReport]],
    calls: ["Fill 5"]
  },
  {
    when: "the nonce of a reverted one is used two blocks below the head, but unused at the head of another node",
    rows: [transactionAt(5, "REVERTED"), transactionAt(6)],
    view: { head: 102, settledCount: 6 },
    nodeReports: [[6, pooledReport]],
    calls: []
  },
  {
    when: "the block of a reverted one is not two blocks deep",
    rows: [transactionAt(5, "REVERTED"), transactionAt(6)],
    view: { settledCount: 5 },
    nodeReports: [[6, pooledReport]],
    calls: []
  },
  {
    when: "the node does not return the count two blocks below the head",
    rows: [transactionAt(5, "REVERTED"), transactionAt(6)],
    view: { head: 102 },
    nodeReports: [[6, pooledReport]],
    calls: []
  },
  {
    when: "the node lacks the block of a reverted one",
    rows: [transactionAt(5, "REVERTED"), transactionAt(6)],
    view: { head: 99, settledCount: 5 },
    nodeReports: [[6, pooledReport]],
    calls: []
  },
  {
    when: "a nonce has no tracked transaction, and the node lacks the block of a later one",
    rows: [transactionAt(6, "MINED")],
    view: { head: 99, goesOn: false },
    nodeReports: [[6, pooledReport]],
    calls: ["Record 6 MINED>SENT@99"]
  },
  { when: "a reorg removed a reverted one, and nothing waits", rows: [transactionAt(5, "REVERTED")], calls: [] },
  {
    when: "the base fee is above an offered fee",
    rows: [transactionAt(5), transactionAt(6)],
    view: { pendingCount: 7, ...baseFeeSpike },
    calls: ["Replace 5", "Replace 6"]
  },
  {
    when: "the base fee is above a fee that was offered in this block",
    rows: [transactionAt(5, "SENT", { block: 101 })],
    view: { pendingCount: 6, ...baseFeeSpike },
    calls: []
  },
  {
    when: "the first in line is stuck",
    rows: [transactionAt(5), transactionAt(6)],
    view: { pendingCount: 7, head: 103, nowMs: lateMs },
    calls: ["Replace 5"]
  },
  {
    when: "blocks are so fast that a few of them take little time",
    rows: [transactionAt(5)],
    view: { pendingCount: 6, head: 103 },
    calls: []
  },
  {
    when: "the chain makes no blocks",
    rows: [transactionAt(5)],
    view: { pendingCount: 6, head: 100, nowMs: lateMs },
    calls: []
  },
  {
    when: "one is stuck that offers far more than the suggested fee",
    rows: [transactionAt(5, "SENT", { maxFeePerGas: 211n * GWEI })],
    view: { pendingCount: 6, head: 110, nowMs: lateMs },
    calls: []
  },
  {
    when: "one is deep in the chain",
    rows: [transactionAt(3, "MINED", { block: 89 }), transactionAt(4, "MINED", { block: 90 })],
    calls: ["Settle 3"]
  },
  { when: "a lost one is deep in the chain", rows: [transactionAt(4, "LOST", { block: 80 })], calls: ["Settle 4"] }
]

describe("operatorAccountActions", () => {
  it.each(cases)("when $when", ({ calls, rows, nodeReports = [], view }) => {
    const actions = operatorAccountActions(rows, aView(view), new Map(nodeReports), SETTLED_DEPTH)
    assert.deepStrictEqual(actions.map(actionTextOf), calls)
  })
})

describe("The queried transactions", () => {
  const noncesToQuery = (rows: ReadonlyArray<OperatorTransaction>, view: Partial<ChainView> = {}) =>
    transactionsToQuery(rows, aView(view)).map(({ nonce }) => nonce)

  it("are pending transactions whose nonce was used, and no others while the mempool is complete", () => {
    const rows = [
      transactionAt(2, "MINED"),
      transactionAt(3, "LOST"),
      transactionAt(4),
      transactionAt(5),
      transactionAt(6)
    ]
    assert.deepStrictEqual(noncesToQuery(rows, { pendingCount: 7 }), [4])
    assert.deepStrictEqual(noncesToQuery(rows, { pendingCount: 6 }), [4, 5, 6])
    assert.deepStrictEqual(noncesToQuery(rows, { pendingCount: 7, goesOn: false }), [2, 3, 4])
  })

  it("need the count two blocks below the head if a nonce's transaction or its recorded use is missing", () => {
    const isNeeded = (...rows: ReadonlyArray<OperatorTransaction>) => needsSettledCount(rows, aView())
    assert.isTrue(isNeeded(transactionAt(4)))
    assert.isTrue(isNeeded(transactionAt(5, "REVERTED")))
    assert.isFalse(isNeeded(transactionAt(4, "MINED"), transactionAt(5)))
  })

  it("are at most 64 unconfirmed ones, lowest nonce first", () => {
    const rows = Array.from({ length: 100 }, (_, index) => transactionAt(5 + index))
    assert.deepStrictEqual(
      noncesToQuery(rows),
      Array.from({ length: 64 }, (_, index) => 5 + index)
    )
  })
})

describe("replacementFees", () => {
  it("are both one eighth higher, rounded up", () => {
    const suggestedFees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }
    assert.deepStrictEqual(replacementFees({ maxFeePerGas: 9n, maxPriorityFeePerGas: 0n }, suggestedFees), {
      maxFeePerGas: 11n,
      maxPriorityFeePerGas: 1n
    })
  })

  it("are the chain's suggested fees if those are higher, and the priority fee never exceeds the maximum fee", () => {
    assert.deepStrictEqual(
      replacementFees({ maxFeePerGas: 10n, maxPriorityFeePerGas: 8n }, { maxFeePerGas: 80n, maxPriorityFeePerGas: 5n }),
      { maxFeePerGas: 80n, maxPriorityFeePerGas: 9n }
    )
    assert.deepStrictEqual(
      replacementFees({ maxFeePerGas: 8n, maxPriorityFeePerGas: 8n }, { maxFeePerGas: 8n, maxPriorityFeePerGas: 20n }),
      { maxFeePerGas: 20n, maxPriorityFeePerGas: 20n }
    )
  })
})

describe("nextNonce", () => {
  it("is above every nonce of stored transactions, on-chain and in the mempool", () => {
    assert.strictEqual(nextNonce(null, 0), 0)
    assert.strictEqual(nextNonce(null, 7), 7)
    assert.strictEqual(nextNonce(9, 7), 10)
    assert.strictEqual(nextNonce(3, 7), 7)
  })

  it("skips at most as many nonces as a mempool can hold", () => {
    assert.isTrue(isCredible(5, 5))
    assert.isTrue(isCredible(69, 5))
    assert.isFalse(isCredible(70, 5))
  })
})
