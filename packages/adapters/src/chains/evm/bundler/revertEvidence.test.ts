import { assert, describe, it } from "@effect/vitest"
import type { Hex } from "viem"
import type { ReceiptResponse } from "../rpc/nodeResponses.ts"
import { judgeRevert, type RevertReport, revertStatusOf } from "./revertEvidence.ts"

const word = (text: string): Hex => `0x${text.repeat(64)}`
const [OURS, REPLACED, OTHERS] = [word("a"), word("b"), word("c")]

const anEvent = (transactionHash: Hex) =>
  ({ transactionHash }) as NonNullable<Parameters<typeof revertStatusOf>[1]["event"]>

const FREE = { event: null, nonce: "FREE" } as const

describe("a node's report on a transaction", () => {
  const end = (status: Hex, logs: number, absence: Parameters<typeof revertStatusOf>[1]) =>
    revertStatusOf({ status, logs: Array.from({ length: logs }, () => anEvent(OURS)) }, absence, [OURS, REPLACED])

  it("is a revert if its status, its events and the operation's nonce agree", () => {
    assert.strictEqual(end("0x0", 0, FREE), "REVERTED")
    assert.strictEqual(end("0x0", 0, { event: null, nonce: "USED_BY_ANOTHER" }), "REVERTED")
    assert.strictEqual(end("0x0", 0, { event: anEvent(OTHERS), nonce: "USED" }), "REVERTED")
    assert.strictEqual(end("0x1", 2, { event: anEvent(OURS), nonce: "USED" }), "SUCCEEDED")
  })

  it("is null if the events or the nonce contradict the status", () => {
    assert.isNull(end("0x0", 1, FREE))
    assert.isNull(end("0x0", 0, { event: null, nonce: "USED" }))
    for (const hash of [OURS, REPLACED]) assert.isNull(end("0x0", 0, { event: anEvent(hash), nonce: "USED" }))
  })
})

describe("judgeRevert", () => {
  const reportWithEnd = (which: RevertReport["status"], gasUsed = 100): RevertReport => {
    const receipt: ReceiptResponse = {
      transactionHash: OURS,
      blockNumber: "0x1",
      blockHash: word("d"),
      status: "0x0",
      logs: [],
      effectiveGasPrice: "0x2",
      gasUsed: `0x${gasUsed.toString(16)}`
    }
    return { status: which, receipt: which === null ? null : receipt }
  }
  const judgementOf = (required: number, ...reports: ReadonlyArray<RevertReport>) => {
    const judgement = judgeRevert(reports, required)
    return judgement._tag === "Reverted" ? judgement.wei : judgement._tag
  }

  it("requires the configured number of nodes, and more nodes than contradict them", () => {
    assert.strictEqual(judgementOf(1, reportWithEnd("REVERTED")), 200n)
    assert.strictEqual(judgementOf(1, reportWithEnd("SUCCEEDED")), "Succeeded")
    assert.strictEqual(judgementOf(2, reportWithEnd("REVERTED"), reportWithEnd("REVERTED")), 200n)
    assert.strictEqual(judgementOf(2, reportWithEnd("REVERTED")), "Unclear")
    assert.strictEqual(judgementOf(2, reportWithEnd("REVERTED"), reportWithEnd("SUCCEEDED")), "Unclear")
    assert.strictEqual(judgementOf(2, reportWithEnd("REVERTED"), reportWithEnd(null)), "Unclear")
    assert.strictEqual(
      judgementOf(2, reportWithEnd("REVERTED"), reportWithEnd("SUCCEEDED"), reportWithEnd("SUCCEEDED")),
      "Succeeded"
    )
    assert.strictEqual(judgementOf(1), "Unclear")
  })

  it("uses the lowest reported cost", () => {
    assert.strictEqual(judgementOf(2, reportWithEnd("REVERTED", 1_000_000), reportWithEnd("REVERTED", 70)), 140n)
  })
})
