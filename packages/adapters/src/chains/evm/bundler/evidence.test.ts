import { assert, describe, it } from "@effect/vitest"
import type { Hex, RpcLog } from "viem"
import { type AbsenceReport, judgeAbsence, judgeInclusion, type OperationReport } from "./evidence.ts"

const word = (text: string): Hex => `0x${text.repeat(64)}`

const anEvent = (fields: Partial<RpcLog> = {}): RpcLog => ({
  address: "0xee",
  blockHash: word("b"),
  blockNumber: "0x1",
  data: "0x01",
  logIndex: "0x3",
  topics: [word("1"), word("2")],
  transactionHash: word("c"),
  transactionIndex: "0x0",
  removed: false,
  ...fields
})
const FLIPPED = anEvent({ data: "0x00" })

const reportBy = (
  node: string,
  event: RpcLog | null = anEvent(),
  fields: Partial<OperationReport> = {}
): OperationReport => ({
  node,
  event,
  objection: null,
  isNonceUsed: true,
  ...fields
})

describe("judgeInclusion", () => {
  const judgementOf = (required: number, foundEvent: RpcLog | null, ...reports: ReadonlyArray<OperationReport>) => {
    const { conclusion, warnings } = judgeInclusion(reports, required, foundEvent)
    return { nodes: conclusion?.map(({ node }) => node) ?? null, data: conclusion?.[0]?.event.data, warnings }
  }

  it("accepts a single node if its logs, its receipt and its nonce agree", () => {
    assert.deepStrictEqual(judgementOf(1, anEvent(), reportBy("a")), { nodes: ["a"], data: "0x01", warnings: [] })
    assert.deepStrictEqual(judgementOf(1, null, reportBy("a")).nodes, ["a"])
    assert.deepStrictEqual(judgementOf(1, FLIPPED, reportBy("a")), {
      nodes: null,
      data: undefined,
      warnings: ["a: its logs and its receipt disagree"]
    })
    assert.deepStrictEqual(judgementOf(1, anEvent(), reportBy("a", anEvent({ blockHash: word("d") }))).nodes, null)
    assert.deepStrictEqual(judgementOf(1, anEvent(), reportBy("a", anEvent({ logIndex: "0x4" }))).nodes, null)
    assert.deepStrictEqual(judgementOf(1, anEvent(), reportBy("a", anEvent(), { isNonceUsed: false })), {
      nodes: null,
      data: undefined,
      warnings: ["a: the nonce of the operation is not used"]
    })
  })

  it("waits without a warning for a node that does not have it yet", () => {
    assert.deepStrictEqual(judgementOf(1, anEvent(), reportBy("a", null)), {
      nodes: null,
      data: undefined,
      warnings: []
    })
    assert.deepStrictEqual(judgementOf(2, anEvent(), reportBy("a"), reportBy("b", null)).warnings, [])
    assert.isNull(judgementOf(2, anEvent(), reportBy("a"), reportBy("b", null)).nodes)
    assert.isNull(judgementOf(2, anEvent(), reportBy("a")).nodes)
  })

  it("requires two of two nodes, and a majority of three, regardless of the log search", () => {
    assert.deepStrictEqual(judgementOf(2, FLIPPED, reportBy("a"), reportBy("b")).nodes, ["a", "b"])
    assert.deepStrictEqual(judgementOf(2, anEvent(), reportBy("a", FLIPPED), reportBy("b"), reportBy("c")), {
      nodes: ["b", "c"],
      data: "0x01",
      warnings: ["b, c and a report different data"]
    })
    assert.deepStrictEqual(
      judgementOf(2, anEvent(), reportBy("a"), reportBy("b", anEvent(), { isNonceUsed: false })).nodes,
      ["a", "b"]
    )
  })

  it("has no conclusion while two nodes contradict each other, and names them", () => {
    assert.deepStrictEqual(judgementOf(2, FLIPPED, reportBy("a", FLIPPED), reportBy("b")), {
      nodes: null,
      data: undefined,
      warnings: ["a and b report different data"]
    })
    assert.isNull(
      judgementOf(2, null, reportBy("a"), reportBy("b"), reportBy("c", FLIPPED), reportBy("d", FLIPPED)).nodes
    )
  })

  it("ignores a node that contradicts itself", () => {
    const otherReport = reportBy("a", anEvent(), { objection: "its receipt belongs to another transaction" })
    assert.deepStrictEqual(judgementOf(1, anEvent(), otherReport), {
      nodes: null,
      data: undefined,
      warnings: ["a: its receipt belongs to another transaction"]
    })
    assert.isNull(judgementOf(2, anEvent(), otherReport, reportBy("b")).nodes)
  })
})

describe("judgeAbsence", () => {
  const absenceReport = (node: string, fields: Partial<AbsenceReport> = {}): AbsenceReport => ({
    node,
    timestamp: 100,
    event: null,
    isTraced: false,
    nonce: "FREE",
    ...fields
  })

  it("is certain until the time of the node that is furthest behind", () => {
    assert.strictEqual(judgeAbsence([absenceReport("a")], 1).conclusion, 100)
    assert.strictEqual(judgeAbsence([absenceReport("a"), absenceReport("b", { timestamp: 90 })], 2).conclusion, 90)
    assert.strictEqual(judgeAbsence([absenceReport("a", { nonce: "USED_BY_ANOTHER" })], 1).conclusion, 100)
  })

  it("is uncertain with fewer nodes than required", () => {
    assert.isNull(judgeAbsence([], 1).conclusion)
    assert.deepStrictEqual(judgeAbsence([absenceReport("a")], 2), { conclusion: null, warnings: [] })
  })

  it("is uncertain while an unknown transaction has used the nonce", () => {
    assert.deepStrictEqual(judgeAbsence([absenceReport("a", { nonce: "USED" })], 1), {
      conclusion: null,
      warnings: ["a: the nonce of the operation is used, but its logs do not contain the operation"]
    })
    assert.isNull(
      judgeAbsence([absenceReport("a"), absenceReport("b"), absenceReport("c", { nonce: "USED" })], 2).conclusion
    )
  })

  it("is uncertain while a node's trace shows the operation without its event", () => {
    assert.deepStrictEqual(judgeAbsence([absenceReport("a", { isTraced: true })], 1), {
      conclusion: null,
      warnings: ["a: its trace contains the operation, but its logs do not"]
    })
  })

  it("is uncertain while only some nodes have its event, and names them", () => {
    assert.deepStrictEqual(judgeAbsence([absenceReport("a", { event: anEvent() })], 1), {
      conclusion: null,
      warnings: []
    })
    assert.deepStrictEqual(judgeAbsence([absenceReport("a"), absenceReport("b", { event: anEvent() })], 1), {
      conclusion: null,
      warnings: ["the event is only in the logs of b"]
    })
  })
})
