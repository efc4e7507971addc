import { assert, describe, it } from "@effect/vitest"
import { NATIVE } from "../../src/verify/contracts.ts"
import { Ledger } from "../../src/verify/ledger.ts"
import { checkLending } from "../../src/verify/lending.ts"
import type { LendingTerms } from "../../src/verify/requestTerms.ts"

const [wallet, wrappedToken, pool] = ["0x01", "0x02", "0x03"] as const
const SHOWN_AMOUNT = 10n ** 18n

/** Returns the problems of an operation that wraps `amount` for the full repayment of a debt. */
const problemsOf = (amount: bigint): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const ledger = new Ledger({
    wallet,
    wrapped: wrappedToken,
    routers: {},
    lenders: { [pool]: "AAVE" },
    manager: null,
    position: null,
    bridge: null,
    trusted: new Set(),
    report: (code) => void problems.push(code)
  })
  ledger.exchange(NATIVE, wrappedToken, amount)
  const noFields = { marketId: null, isCollateral: null }
  ledger.acts.push({ lender: pool, action: "repay", token: wrappedToken, amount: "MAX", shares: null, ...noFields })
  const terms: LendingTerms = {
    kind: "AAVE",
    legs: [{ action: "repay", token: NATIVE, amount: "MAX", shown: SHOWN_AMOUNT, bearsGas: false, ...noFields }],
    shownMarket: null,
    markets: new Set(),
    allOf: () => null
  }
  checkLending(ledger, terms, { token: 0n, lastOperation: 0n, validUntil: [] }, (code) => void problems.push(code))
  return problems
}

describe("a full repayment in the native token", () => {
  it("wraps the debt and some interest, and no more", () => {
    assert.deepStrictEqual(problemsOf(SHOWN_AMOUNT - 1n), ["pays_too_little"])
    for (const amount of [SHOWN_AMOUNT, SHOWN_AMOUNT + SHOWN_AMOUNT / 1_000n])
      assert.deepStrictEqual(problemsOf(amount), [])
    assert.deepStrictEqual(problemsOf(2n * SHOWN_AMOUNT), ["pays_too_much"])
  })
})
