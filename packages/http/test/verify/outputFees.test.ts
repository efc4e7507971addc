import { assert, it } from "@effect/vitest"
import { Ledger } from "../../src/verify/ledger.ts"
import type { LiquidityTerms } from "../../src/verify/requestTerms.ts"
import { checkOutputFees } from "../../src/verify/shares.ts"

const addressOf = (byte: string) => `0x${byte.repeat(20)}` as const
const [wallet, router, manager, collector] = [addressOf("a1"), addressOf("a2"), addressOf("a3"), addressOf("a4")]
const tokens = [addressOf("b1"), addressOf("b2")] as const

/** Checks a fee of one percent of a position of which the calls enforce 9,900 of 10,000 removed base units. */
const checkFee = (fee: bigint, collectedAmount: bigint) => {
  const problems: Array<string> = []
  const ledger = new Ledger({
    wallet,
    wrapped: addressOf("ee"),
    routers: { [router]: "UNIVERSAL" },
    lenders: {},
    manager,
    position: { tokens, promised: [collectedAmount, 0n] },
    bridge: null,
    trusted: new Set(tokens),
    report: (code) => problems.push(code)
  })
  ledger.positionActs.push({ does: "DECREASE", tokenId: 1n, liquidity: 1n, minAmounts: [9_900n, 0n] })
  ledger.collect(router)
  ledger.cut(router, { token: tokens[0], to: collector, bips: 0n, amount: fee })
  const terms = {
    open: { tokens, promised: [collectedAmount, 0n] },
    payout: null,
    taking: { shown: { removed: [10_000n, 0n] } },
    shares: { service: 1, extra: null }
  } as unknown as LiquidityTerms
  checkOutputFees(ledger, terms, [collector], ledger.report as never)
  return { problems, unknown: [...ledger.unknown].length }
}

it("a fixed fee on unclaimed tokens of a position is a fact that the verifier can't know", () => {
  assert.deepStrictEqual(checkFee(99n, 10_000n), { problems: [], unknown: 0 })
  assert.deepStrictEqual(checkFee(9_999n, 10_000n), { problems: ["pays_too_much"], unknown: 0 })
  assert.deepStrictEqual(checkFee(9_999n, 1_000_000n), { problems: [], unknown: 1 })
})
