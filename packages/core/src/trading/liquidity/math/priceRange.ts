import { maxBigInt, minBigInt, type Ratio } from "../../../foundation/primitives/index.ts"
import { divRoundingUp } from "./sqrtPriceMath.ts"
import { squareRootRoundingDown, squareRootRoundingUp } from "./squareRoot.ts"
import {
  MAX_SQRT_PRICE_X96,
  MIN_SQRT_PRICE_X96,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96,
  usableTickEnds
} from "./tickMath.ts"

/**
 * The meaning of a display price: units of the quote token per unit of the base token (token units, not base units).
 */
export interface PriceConvention {
  /** Decimals of the base token. */
  readonly baseDecimals: number
  /** Decimals of the quote token. */
  readonly quoteDecimals: number
  /** Whether the base token is the pool's token0. */
  readonly baseIsToken0: boolean
}

const inverse = ({ denominator, numerator }: Ratio): Ratio => ({ numerator: denominator, denominator: numerator })

/** Converts a display price to the pool's price: base units of token1 per base unit of token0. */
const poolPriceOf = (price: Ratio, { baseDecimals, baseIsToken0, quoteDecimals }: PriceConvention): Ratio => {
  const priceInBaseUnits = {
    numerator: price.numerator * 10n ** BigInt(quoteDecimals),
    denominator: price.denominator * 10n ** BigInt(baseDecimals)
  }
  return baseIsToken0 ? priceInBaseUnits : inverse(priceInBaseUnits)
}

/** Returns the display price at a tick. It equals the contract's price at the tick exactly. */
export const priceAtTick = (tick: number, { baseDecimals, baseIsToken0, quoteDecimals }: PriceConvention): Ratio => {
  const root = sqrtPriceX96AtTick(tick)
  const poolPrice = { numerator: root * root, denominator: 1n << 192n }
  const { denominator, numerator } = baseIsToken0 ? poolPrice : inverse(poolPrice)
  return {
    numerator: numerator * 10n ** BigInt(baseDecimals),
    denominator: denominator * 10n ** BigInt(quoteDecimals)
  }
}

/** Clamps a price to the valid range of a pool. */
const clampSqrtPrice = (sqrtPriceX96: bigint): bigint =>
  minBigInt(maxBigInt(sqrtPriceX96, MIN_SQRT_PRICE_X96), MAX_SQRT_PRICE_X96 - 1n)

/** Returns the highest tick whose pool price is at most this price. */
const tickRoundingDown = ({ denominator, numerator }: Ratio): number =>
  tickAtSqrtPriceX96(clampSqrtPrice(squareRootRoundingDown((numerator << 192n) / denominator)))

/** Returns the lowest tick whose pool price is at least this price. */
const tickRoundingUp = ({ denominator, numerator }: Ratio): number => {
  const root = clampSqrtPrice(squareRootRoundingUp(divRoundingUp(numerator << 192n, denominator)))
  const tick = tickAtSqrtPriceX96(root)
  return sqrtPriceX96AtTick(tick) === root ? tick : tick + 1
}

/**
 * Converts a display price to the pool's Q64.96 square root price, clamped to the valid range. Rounded down, as in a
 * pool.
 */
export const sqrtPriceX96Of = (price: Ratio, convention: PriceConvention): bigint => {
  const { denominator, numerator } = poolPriceOf(price, convention)
  return clampSqrtPrice(squareRootRoundingDown((numerator << 192n) / denominator))
}

/**
 * Returns the highest tick whose pool price is at most this display price. For a price outside the valid range, returns
 * the tick at the nearest end of the range.
 */
export const tickAtPriceRoundingDown = (price: Ratio, convention: PriceConvention): number =>
  tickRoundingDown(poolPriceOf(price, convention))

export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/**
 * Returns the ticks of a position between two display prices, in any order. The lower tick is rounded down and the
 * upper tick is rounded up to the tick spacing. They therefore enclose the requested range, as far as it is valid, and
 * always differ.
 */
export const tickRangeAround = (a: Ratio, b: Ratio, convention: PriceConvention, tickSpacing: number): TickRange => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  const prices = [poolPriceOf(a, convention), poolPriceOf(b, convention)] as const
  const lower = Math.min(...prices.map(tickRoundingDown))
  const upper = Math.max(...prices.map(tickRoundingUp))
  const tickLower = Math.min(Math.max(Math.floor(lower / tickSpacing) * tickSpacing, lowest), highest - tickSpacing)
  const tickUpper = Math.min(Math.ceil(upper / tickSpacing) * tickSpacing, highest)
  return { tickLower, tickUpper: Math.max(tickUpper, tickLower + tickSpacing) }
}
