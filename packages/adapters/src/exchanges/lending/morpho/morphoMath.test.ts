import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { borrowableRoundingDown, neededCollateralRoundingUp } from "./morphoMath.ts"

const upTo = (maximum: bigint) => Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum }))

describe("neededRoundingUp", () => {
  it.prop(
    "is the minimum collateral for a debt",
    { debt: upTo(10n ** 30n), price: upTo(10n ** 48n), percent: upTo(98n) },
    ({ debt, percent, price }) => {
      const lltv = percent * 10n ** 16n
      const neededCollateral = neededCollateralRoundingUp(debt, price, lltv)
      return (
        borrowableRoundingDown(neededCollateral, price, lltv) >= debt &&
        borrowableRoundingDown(neededCollateral - 1n, price, lltv) < debt
      )
    }
  )

  it("is the collateral of a loan of 20,000 USDC against WBTC at 95,000", () => {
    const price = (95_000n * 10n ** 6n * 10n ** 36n) / 10n ** 8n
    assert.strictEqual(neededCollateralRoundingUp(20_000n * 10n ** 6n, price, 86n * 10n ** 16n), 24_479_805n)
  })
})
