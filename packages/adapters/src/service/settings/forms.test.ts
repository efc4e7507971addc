import { assert, describe, it } from "@effect/vitest"
import { confirmations } from "./forms.ts"

describe("confirmations", () => {
  it("reads numbers by the amount from which each holds", () => {
    assert.deepStrictEqual(confirmations.parse("1, 3:0.1,6:1"), [
      { fromAmount: 0n, confirmations: 1 },
      { fromAmount: 10_000_000n, confirmations: 3 },
      { fromAmount: 100_000_000n, confirmations: 6 }
    ])
  })

  it.each(["0", "101", "6:", "6:-1", "6:0.000000001", "six", "6:1:2"])("refuses %j", (text) => {
    assert.isUndefined(confirmations.parse(text))
  })
})
