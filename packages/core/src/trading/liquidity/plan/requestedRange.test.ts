import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type PriceConvention, priceAtTick, usableTickEnds } from "../math/index.ts"
import { matchesRange, requestedRange } from "./requestedRange.ts"

/** Display prices, and the ticks of the range that encloses them. */

const WETH_IN_USDC: PriceConvention = { baseDecimals: 18, quoteDecimals: 6, baseIsToken0: false }
const USDC_IN_WETH: PriceConvention = { baseDecimals: 6, quoteDecimals: 18, baseIsToken0: true }

const numberOf = ({ denominator, numerator }: { numerator: bigint; denominator: bigint }) =>
  Number((numerator * 10n ** 30n) / denominator) / 1e30

const ticksOf = (minPrice: number, maxPrice: number, convention: PriceConvention, spacing: number) =>
  Result.getOrThrow(requestedRange({ minPrice, maxPrice }, convention, spacing))

describe("A range of prices", () => {
  it.each([
    [2500, 3600, WETH_IN_USDC, 60],
    [2500, 3600, WETH_IN_USDC, 1],
    [0.0003, 0.0004, USDC_IN_WETH, 10],
    [0.9999, 1.0001, { baseDecimals: 6, quoteDecimals: 6, baseIsToken0: true }, 1],
    [1e-9, 2e-9, { baseDecimals: 8, quoteDecimals: 18, baseIsToken0: false }, 200]
  ] as const)("from %d to %d is enclosed by its ticks, which are the nearest", (min, max, convention, spacing) => {
    const { tickLower, tickUpper } = ticksOf(min, max, convention, spacing)
    const prices = [tickLower, tickUpper].map((tick) => numberOf(priceAtTick(tick, convention))).sort((a, b) => a - b)
    assert.isAtMost(prices[0]!, min)
    assert.isAtLeast(prices[1]!, max)
    const innerTicks = [tickLower + spacing, tickUpper - spacing]
      .map((tick) => numberOf(priceAtTick(tick, convention)))
      .sort((a, b) => a - b)
    if (tickUpper - tickLower > 2 * spacing) {
      assert.isAbove(innerTicks[0]!, min)
      assert.isBelow(innerTicks[1]!, max)
    }
    assert.isTrue(tickLower % spacing === 0 && tickUpper % spacing === 0 && tickLower < tickUpper)
  })

  it("has the same ticks in both orders of the tokens", () => {
    const ticksInUsdc = ticksOf(2500, 3600, WETH_IN_USDC, 60)
    const ticksInWeth = ticksOf(1 / 3600, 1 / 2500, USDC_IN_WETH, 60)
    assert.isAtMost(Math.abs(ticksInUsdc.tickLower - ticksInWeth.tickLower), 60)
    assert.isAtMost(Math.abs(ticksInUsdc.tickUpper - ticksInWeth.tickUpper), 60)
  })

  it.each([WETH_IN_USDC, USDC_IN_WETH])("from zero to a price above the maximum is the full range", (convention) => {
    const [lowest, highest] = usableTickEnds(60)
    assert.deepStrictEqual(ticksOf(0, 1e300, convention, 60), { tickLower: lowest, tickUpper: highest })
  })

  it.each([
    [1e70, 1e80, "minPrice"],
    [0, 1e-70, "maxPrice"]
  ])("from %d to %d is refused because a price has no tick", (minPrice, maxPrice, path) => {
    for (const convention of [WETH_IN_USDC, USDC_IN_WETH]) {
      const refusal = requestedRange({ minPrice, maxPrice }, convention, 60)
      assert.strictEqual(Result.isFailure(refusal) ? refusal.failure.problems[0].path : null, path)
    }
  })

  it("matches a position's ticks to within one tick spacing", () => {
    const range = ticksOf(2500, 3600, WETH_IN_USDC, 60)
    assert.isTrue(matchesRange({ minPrice: 2500, maxPrice: 3600 }, range, WETH_IN_USDC, 60))
    assert.isFalse(matchesRange({ minPrice: 2450, maxPrice: 3600 }, range, WETH_IN_USDC, 60))
    assert.isFalse(matchesRange({ minPrice: 2500, maxPrice: 3700 }, range, WETH_IN_USDC, 60))
    assert.isFalse(matchesRange({ minPrice: 2500, maxPrice: 3600 }, range, USDC_IN_WETH, 60))
  })
})
