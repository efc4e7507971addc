import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Profit } from "../../../../core/src/accounting/portfolio/profit.ts"
import { aToken } from "../../../../core/src/trading/swap/swap.fixture.ts"
import { portfolioBody } from "./portfolioTranslation.ts"

const aProfit = (fields: Partial<Profit> = {}): Profit => ({
  inflowE6: 5_000_000n,
  outflowE6: 0n,
  profitE6: 1_250_000n,
  investedE6: 5_000_000n,
  holding: { units: 0n, costE6: 0n },
  ...fields
})

const totalOf = (...profits: ReadonlyArray<Profit>) =>
  portfolioBody(
    { base: "", explorerOf: () => ({ name: "Explorer", url: "https://explorer.example" }) },
    {
      asOf: DateTime.makeUnsafe(0),
      holdings: null,
      profits: profits.map((profit, i) => ({ token: aToken(`T${i}`), price: null, profit })),
      nfts: null,
      liquidity: null,
      lending: null,
      unread: []
    },
    { hasTokens: false, prices: new Map(), timerange: "all" }
  ).pnl!.total

describe("the total profit", () => {
  it("is the sum of the known profits, and lists the tokens without a price", () => {
    const total = totalOf(
      aProfit(),
      aProfit({ profitE6: -250_000n }),
      aProfit({ profitE6: null, inflowE6: null, investedE6: null }),
      aProfit({ profitE6: null })
    )
    assert.strictEqual(total.totalUsd, "1")
    assert.deepStrictEqual(
      total.incomplete.map(({ reason, token }) => [token.symbol, /time of one of the token's movements/u.test(reason)]),
      [
        ["T2", true],
        ["T3", false]
      ]
    )
  })
})
