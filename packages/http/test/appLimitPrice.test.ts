import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decimalRoundedUp, fixedPointOf } from "../app/decimals.ts"
import { minAmountOutFor } from "../app/swap/limitPrice.ts"

describe("the minimum amount of a limit order", () => {
  it.each([
    // 100 USDC at 2,000 USDC per WETH.
    ["100", "2000", "inPerOut", 18, "0.05"],
    // 0.05 WETH at 2,000 USDC per WETH.
    ["0.05", "2000", "outPerIn", 6, "100"],
    // One third has infinitely many digits, so the last digit is rounded up.
    ["1", "3", "inPerOut", 6, "0.333334"],
    ["0.000001", "0.000001", "outPerIn", 6, "0.000001"]
  ] as const)("of %s at %s %s is exact, rounded up to %i decimals", (amount, price, unit, decimals, minAmountOut) => {
    assert.strictEqual(minAmountOutFor(amount, price, unit, decimals), minAmountOut)
  })

  it.each(["", "0", "0.0", "-1", "1e3", "1,5", "abc", "."])("is unknown for the price %j", (price) => {
    assert.isNull(minAmountOutFor("100", price, "inPerOut", 18))
    assert.isNull(minAmountOutFor(price, "100", "outPerIn", 18))
  })

  const PositiveAmount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n }))

  it.prop(
    "is never less than the price requires, and less than one unit of the token above it",
    { amount: PositiveAmount, price: PositiveAmount, decimals: Schema.Literals([6, 8, 18]) },
    ({ amount, decimals, price }) => {
      const [amountText, priceText] = [amount, price].map((units) => decimalRoundedUp(units * 10n ** 18n, 18))
      const minAmountOut = fixedPointOf(minAmountOutFor(amountText!, priceText!, "inPerOut", decimals)!)
      const exactPrice = amount * 10n ** 36n
      return minAmountOut * price >= exactPrice && (minAmountOut - 10n ** BigInt(36 - decimals)) * price < exactPrice
    }
  )
})

describe("decimals", () => {
  it.each(["0", "1", "-1", "0.1", "-0.000001", "123456789.987654321"])("keep the value of %s", (text) => {
    assert.strictEqual(decimalRoundedUp(fixedPointOf(text), 18), text)
  })
})
