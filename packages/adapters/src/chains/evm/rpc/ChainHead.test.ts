import { assert, describe, it } from "@effect/vitest"
import { ChainHead, headIn } from "./ChainHead.ts"

const [a, b, c] = [{}, {}, {}]

describe("ChainHead", () => {
  it("reports that a host lags if it is more blocks behind the other hosts than allowed", () => {
    const head = new ChainHead(10)
    head.reportHead(a, 100)
    head.reportHead(b, 100)
    head.reportHead(c, 90)
    assert.isFalse(head.isLagging(c))
    head.reportHead(c, 89)
    assert.deepStrictEqual(
      [a, b, c].map((host) => head.isLagging(host)),
      [false, false, true]
    )
    assert.isTrue(head.isOutvoted(c))
    head.reportHead(c, 101)
    assert.isFalse(head.isLagging(c))
  })

  it("does not let one host make two others lag", () => {
    const head = new ChainHead(10)
    head.reportHead(c, 1_000_000)
    head.reportHead(a, 100)
    head.reportHead(b, 100)
    head.finishSurvey([a, b, c])
    assert.deepStrictEqual(
      [a, b, c].map((host) => head.isLagging(host)),
      [false, false, false]
    )
  })

  it("reports that the lower of two hosts lags, but not that it is outvoted", () => {
    const head = new ChainHead(10)
    head.reportHead(a, 100)
    head.reportHead(b, 500)
    head.finishSurvey([a, b])
    assert.deepStrictEqual([head.isLagging(a), head.isOutvoted(a)], [true, false])
    assert.isFalse(head.isLagging(b))
  })

  it("does not compare a host with blocks that others reported later", () => {
    const head = new ChainHead(10)
    head.reportHead(a, 100)
    head.reportHead(b, 500)
    assert.isFalse(head.isLagging(a))
  })

  it("compares all hosts in a survey, and discards a block that none of them has", () => {
    const head = new ChainHead(10)
    head.reportHead(a, 80)
    head.reportHead(b, 100)
    head.reportHead(c, 1_000_000)
    head.finishSurvey([a, b])
    assert.deepStrictEqual(
      [a, b].map((host) => head.isLagging(host)),
      [true, false]
    )
  })

  it("reads the latest block from the results that contain it", () => {
    assert.strictEqual(headIn("eth_blockNumber", "0x2a"), 42)
    assert.strictEqual(headIn("eth_feeHistory", { oldestBlock: "0x26", gasUsedRatio: [0, 0, 0, 0, 0] }), 42)
    assert.isNull(headIn("eth_feeHistory", {}))
    assert.isNull(headIn("eth_call", "0x2a"))
  })
})
