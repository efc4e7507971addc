import { assert, describe, it } from "@effect/vitest"
import { Address, percentFromRatio } from "../primitives/index.ts"
import { feeShares } from "./feeShares.ts"

const address = (digit: string) => Address.make(`0x${digit.repeat(40)}`)
const collectors = { treasury: address("a"), operatorTreasury: address("b"), operatorSharePercent: 20 }

describe("feeShares", () => {
  it.each([
    [0.7, ["0.56", "0.14"]],
    [0.3, ["0.24", "0.06"]],
    [1, ["0.8", "0.2"]],
    [0, []]
  ])("divides %d percent exactly between the treasury and the operator", (transactionFeePercent, expected) => {
    const shares = feeShares({ transactionFeePercent }, collectors)
    assert.deepStrictEqual(
      shares.map(({ share }) => percentFromRatio(share)),
      expected
    )
  })

  it("has no service fee without a treasury", () => {
    const extraFee = { percentage: 0.1, toAddress: address("c") }
    const shares = feeShares({ transactionFeePercent: 1, extraFee }, { ...collectors, treasury: null })
    assert.deepStrictEqual(
      shares.map(({ type, recipient, share }) => [type, recipient, percentFromRatio(share)]),
      [["EXTRA", extraFee.toAddress, "0.1"]]
    )
  })
})
