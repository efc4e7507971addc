import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { tokenKey } from "../../../foundation/tokens/index.ts"
import { anOffer, aToken } from "../swap.fixture.ts"
import { priceImpactE18 } from "./priceImpact.ts"
import { rateRoundingDown } from "./rate.ts"

const [usdc, weth, shib] = [aToken("USDC"), aToken("WETH", { decimals: 18 }), aToken("SHIB", { decimals: 18 })]

const rateOf = (sold: bigint, bought: bigint) =>
  rateRoundingDown({ token: usdc, amount: sold }, { token: weth, amount: bought })

describe("rateRoundingDown", () => {
  it("is in token units, for any decimals, in both directions", () => {
    assert.strictEqual(rateOf(2_500_000_000n, 10n ** 18n), "0.0004")
    const inverseRate = rateRoundingDown({ token: weth, amount: 10n ** 18n }, { token: usdc, amount: 2_500_000_000n })
    assert.strictEqual(inverseRate, "2500")
  })

  it("has 18 significant digits, also for small values", () => {
    const lowRate = rateRoundingDown({ token: shib, amount: 3n * 10n ** 27n }, { token: weth, amount: 1n })
    assert.match(lowRate!, /^0\.0{27}3{18}$/u)
  })

  it("is null for a zero input, and zero for a zero output", () => {
    assert.isNull(rateOf(0n, 1n))
    assert.strictEqual(rateOf(1n, 0n), "0")
  })

  const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 128n }))
  it.prop(
    "never exceeds the exact rate, and is at most one last digit below it",
    { sold: Amount, bought: Amount },
    ({ bought, sold }) => {
      const [whole = "0", fraction = ""] = rateOf(sold, bought)!.split(".")
      const scaledRate = BigInt(whole + fraction)
      // The rounded rate is at most the exact one: rate / 10^f <= (bought / 10^18) / (sold / 10^6)
      const promisedAmount = scaledRate * sold * 10n ** 12n
      const boughtScaled = bought * 10n ** BigInt(fraction.length)
      const digits = scaledRate.toString().length
      return (
        promisedAmount <= boughtScaled &&
        boughtScaled - promisedAmount <= (sold * 10n ** 12n * 10n ** BigInt(Math.max(1, digits))) / 10n ** 16n
      )
    }
  )
})

const prices = new Map([
  [tokenKey(usdc), 10n ** 18n],
  [tokenKey(weth), 2_000n * 10n ** 18n]
])

/** Returns the offer for a swap of $2 000 to WETH, in a pool with a fee of 0.3 %. */
const offerOf = (amountOut: bigint, fields = {}) => {
  const request = { tokenIn: usdc, tokenOut: weth, amountIn: 2_000_000_000n, limit: null }
  return { ...anOffer(request, 1n), amountOut, ...fields }
}

describe("priceImpactE18", () => {
  it("is the loss relative to the prices, without the pools' fees", () => {
    assert.strictEqual(priceImpactE18(offerOf(997n * 10n ** 15n), prices), 0n)
    const impact = priceImpactE18(offerOf(987n * 10n ** 15n), prices)!
    assert.strictEqual(impact, 10n ** 18n - (987n * 10n ** 18n) / 997n)
  })

  it("is negative if the offer is better than the prices", () => {
    assert.isBelow(Number(priceImpactE18(offerOf(10n ** 18n), prices)), 0)
  })

  it("is the provider's own value if the offer contains one", () => {
    assert.strictEqual(priceImpactE18(offerOf(1n, { priceImpactE18: 5n }), prices), 5n)
  })

  it("is unknown without prices, without a route, and between chains", () => {
    assert.isNull(priceImpactE18(offerOf(1n), new Map([[tokenKey(usdc), 1n]])))
    assert.isNull(priceImpactE18(offerOf(1n, { route: [] }), prices))
    assert.isNull(priceImpactE18(offerOf(1n, { tokenOut: { ...weth, chainId: 1 } }), prices))
  })
})
