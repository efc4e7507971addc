import { greater, lesser, type Ratio } from "../../../foundation/primitives/index.ts"
import { divRoundingUp } from "./sqrtPriceMath.ts"
import { squareRootRoundingDown, squareRootRoundingUp } from "./squareRoot.ts"
import {
  MAX_SQRT_PRICE_X96,
  MIN_SQRT_PRICE_X96,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96,
  usableTickEnds
} from "./tickMath.ts"

/** How people say a price: whole units of the one token for one whole unit of the other. */
export interface PriceConvention {
  /** The token whose price is given. */
  readonly baseDecimals: number
  /** The token that the price is given in. */
  readonly quoteDecimals: number
  /** Whether the token whose price is said is the pool's token0. */
  readonly baseIsToken0: boolean
}

const inverse = ({ denominator, numerator }: Ratio): Ratio => ({ numerator: denominator, denominator: numerator })

/** Base units of token1 for one base unit of token0. */
const poolPriceOf = (price: Ratio, { baseDecimals, baseIsToken0, quoteDecimals }: PriceConvention): Ratio => {
  const inBaseUnits = {
    numerator: price.numerator * 10n ** BigInt(quoteDecimals),
    denominator: price.denominator * 10n ** BigInt(baseDecimals)
  }
  return baseIsToken0 ? inBaseUnits : inverse(inBaseUnits)
}

/** The price at a tick for people; exact for the tick's price as the contract has it. */
export const priceAtTick = (tick: number, { baseDecimals, baseIsToken0, quoteDecimals }: PriceConvention): Ratio => {
  const root = sqrtPriceX96AtTick(tick)
  const poolPrice = { numerator: root * root, denominator: 1n << 192n }
  const { denominator, numerator } = baseIsToken0 ? poolPrice : inverse(poolPrice)
  return {
    numerator: numerator * 10n ** BigInt(baseDecimals),
    denominator: denominator * 10n ** BigInt(quoteDecimals)
  }
}

/** Kept where a pool's price can be. */
const withinEnds = (sqrtPriceX96: bigint): bigint =>
  lesser(greater(sqrtPriceX96, MIN_SQRT_PRICE_X96), MAX_SQRT_PRICE_X96 - 1n)

/** The greatest tick whose price in the pool is at most this. */
const tickRoundingDown = ({ denominator, numerator }: Ratio): number =>
  tickAtSqrtPriceX96(withinEnds(squareRootRoundingDown((numerator << 192n) / denominator)))

/** The smallest tick whose price in the pool is at least this. */
const tickRoundingUp = ({ denominator, numerator }: Ratio): number => {
  const root = withinEnds(squareRootRoundingUp(divRoundingUp(numerator << 192n, denominator)))
  const tick = tickAtSqrtPriceX96(root)
  return sqrtPriceX96AtTick(tick) === root ? tick : tick + 1
}

/** A pool's price as a Q64.96 root, kept where a pool's price can be. Rounded down, as a pool would have it. */
export const sqrtPriceX96Of = (price: Ratio, convention: PriceConvention): bigint => {
  const { denominator, numerator } = poolPriceOf(price, convention)
  return withinEnds(squareRootRoundingDown((numerator << 192n) / denominator))
}

/** The greatest tick whose price in the pool is at most the given one. Prices beyond the ends have the tick at the end. */
export const tickAtPriceRoundingDown = (price: Ratio, convention: PriceConvention): number =>
  tickRoundingDown(poolPriceOf(price, convention))

export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/**
 * The ticks of a position between two prices, in whichever order they and the tokens come. The asked range lies inside:
 * the lower tick is rounded down, the upper one up, to what the spacing allows, and they are never the same.
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
