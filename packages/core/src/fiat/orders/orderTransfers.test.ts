import { assert, describe, it } from "@effect/vitest"
import type { Fee } from "../../foundation/fees/index.ts"
import { depositBounds } from "./orderTransfers.ts"

const fee: Fee = {
  type: "PROVIDER",
  currency: "BRL",
  amount: 100n,
  toAddress: null,
  percentage: null
} as never

describe("The amount of a deposit's transfer", () => {
  it("may be up to one tenth above the quoted amount, and up to one tenth plus all fees below it", () => {
    const bounds = depositBounds({ fees: [fee], fiatAmount: 1_000n }, 200_000_000n, 1_000n)
    assert.deepStrictEqual(bounds, { expected: 200_000_000n, minAmount: 160_000_000n, maxAmount: 220_000_000n })
  })

  it("is proportional to the paid fiat amount", () => {
    const bounds = depositBounds({ fees: [], fiatAmount: 1_000n }, 200_000_000n, 2_500n)
    assert.deepStrictEqual(bounds, { expected: 500_000_000n, minAmount: 450_000_000n, maxAmount: 550_000_000n })
  })
})
