import { Schema } from "effect"
import { MAX_SQRT_PRICE_X96, MAX_TICK, MIN_SQRT_PRICE_X96, MIN_TICK } from "./tickMath.ts"

/** Arbitraries for the property tests: all ticks and prices, and amounts of any size that a pool supports. */

export const Tick = Schema.Int.check(Schema.isBetween({ minimum: MIN_TICK, maximum: MAX_TICK }))
export const SqrtPrice = Schema.BigInt.check(
  Schema.isBetweenBigInt({ minimum: MIN_SQRT_PRICE_X96, maximum: MAX_SQRT_PRICE_X96 - 1n })
)
export const Liquidity = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 112n }))
export const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 96n }))
export const FeePips = Schema.Literals([100, 500, 3_000, 10_000])
