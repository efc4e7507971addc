import { assert, describe, it } from "@effect/vitest"
import type { Hex, RpcLog } from "viem"
import { type AbsenceTestimony, judgeAbsence, judgeInclusion, type Testimony } from "./evidence.ts"

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

const says = (node: string, event: RpcLog | null = anEvent(), fields: Partial<Testimony> = {}): Testimony => ({
  node,
  event,
  objection: null,
  isNonceUsed: true,
  ...fields
})

describe("judgeInclusion", () => {
  const judgementOf = (required: number, foundEvent: RpcLog | null, ...testimonies: ReadonlyArray<Testimony>) => {
    const { conclusion, warnings } = judgeInclusion(testimonies, required, foundEvent)
    return { nodes: conclusion?.map(({ node }) => node) ?? null, data: conclusion?.[0]?.event.data, warnings }
  }

  it("accepts a single node if its logs, its receipt and its nonce agree", () => {
    assert.deepStrictEqual(judgementOf(1, anEvent(), says("a")), { nodes: ["a"], data: "0x01", warnings: [] })
    assert.deepStrictEqual(judgementOf(1, null, says("a")).nodes, ["a"])
    assert.deepStrictEqual(judgementOf(1, FLIPPED, says("a")), {
      nodes: null,
      data: undefined,
      warnings: ["a: its logs and its receipt disagree"]
    })
    assert.deepStrictEqual(judgementOf(1, anEvent(), says("a", anEvent({ blockHash: word("d") }))).nodes, null)
    assert.deepStrictEqual(judgementOf(1, anEvent(), says("a", anEvent({ logIndex: "0x4" }))).nodes, null)
    assert.deepStrictEqual(judgementOf(1, anEvent(), says("a", anEvent(), { isNonceUsed: false })), {
      nodes: null,
      data: undefined,
      warnings: ["a: the nonce of the operation is not used"]
    })
  })

  it("waits without a warning for a node that does not have it yet", () => {
    assert.deepStrictEqual(judgementOf(1, anEvent(), says("a", null)), { nodes: null, data: undefined, warnings: [] })
    assert.deepStrictEqual(judgementOf(2, anEvent(), says("a"), says("b", null)).warnings, [])
    assert.isNull(judgementOf(2, anEvent(), says("a"), says("b", null)).nodes)
    assert.isNull(judgementOf(2, anEvent(), says("a")).nodes)
  })

  it("requires two of two nodes, and a majority of three, regardless of the log search", () => {
    assert.deepStrictEqual(judgementOf(2, FLIPPED, says("a"), says("b")).nodes, ["a", "b"])
    assert.deepStrictEqual(judgementOf(2, anEvent(), says("a", FLIPPED), says("b"), says("c")), {
      nodes: ["b", "c"],
      data: "0x01",
      warnings: ["b, c and a report different data"]
    })
    assert.deepStrictEqual(judgementOf(2, anEvent(), says("a"), says("b", anEvent(), { isNonceUsed: false })).nodes, [
      "a",
      "b"
    ])
  })

  it("has no conclusion while two nodes contradict each other, and names them", () => {
    assert.deepStrictEqual(judgementOf(2, FLIPPED, says("a", FLIPPED), says("b")), {
      nodes: null,
      data: undefined,
      warnings: ["a and b report different data"]
    })
    assert.isNull(judgementOf(2, null, says("a"), says("b"), says("c", FLIPPED), says("d", FLIPPED)).nodes)
  })

  it("ignores a node that contradicts itself", () => {
    const otherTestimony = says("a", anEvent(), { objection: "its receipt belongs to another transaction" })
    assert.deepStrictEqual(judgementOf(1, anEvent(), otherTestimony), {
      nodes: null,
      data: undefined,
      warnings: ["a: its receipt belongs to another transaction"]
    })
    assert.isNull(judgementOf(2, anEvent(), otherTestimony, says("b")).nodes)
  })
})

describe("judgeAbsence", () => {
  const absentTestimony = (node: string, fields: Partial<AbsenceTestimony> = {}): AbsenceTestimony => ({
    node,
    timestamp: 100,
    event: null,
    isTraced: false,
    nonce: "FREE",
    ...fields
  })

  it("is certain until the time of the node that is furthest behind", () => {
    assert.strictEqual(judgeAbsence([absentTestimony("a")], 1).conclusion, 100)
    assert.strictEqual(judgeAbsence([absentTestimony("a"), absentTestimony("b", { timestamp: 90 })], 2).conclusion, 90)
    assert.strictEqual(judgeAbsence([absentTestimony("a", { nonce: "USED_BY_ANOTHER" })], 1).conclusion, 100)
  })

  it("is uncertain with fewer nodes than required", () => {
    assert.isNull(judgeAbsence([], 1).conclusion)
    assert.deepStrictEqual(judgeAbsence([absentTestimony("a")], 2), { conclusion: null, warnings: [] })
  })

  it("is uncertain while an unknown transaction has used the nonce", () => {
    assert.deepStrictEqual(judgeAbsence([absentTestimony("a", { nonce: "USED" })], 1), {
      conclusion: null,
      warnings: ["a: the nonce of the operation is used, but its logs do not contain the operation"]
    })
    assert.isNull(
      judgeAbsence([absentTestimony("a"), absentTestimony("b"), absentTestimony("c", { nonce: "USED" })], 2).conclusion
    )
  })

  it("is uncertain while a node's trace shows the operation without its event", () => {
    assert.deepStrictEqual(judgeAbsence([absentTestimony("a", { isTraced: true })], 1), {
      conclusion: null,
      warnings: ["a: its trace contains the operation, but its logs do not"]
    })
  })

  it("is uncertain while only some nodes have its event, and names them", () => {
    assert.deepStrictEqual(judgeAbsence([absentTestimony("a", { event: anEvent() })], 1), {
      conclusion: null,
      warnings: []
    })
    assert.deepStrictEqual(judgeAbsence([absentTestimony("a"), absentTestimony("b", { event: anEvent() })], 1), {
      conclusion: null,
      warnings: ["b is the only node with the event"]
    })
  })
})
