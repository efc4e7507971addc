import { largest, smallest } from "./bytes.ts"
import { type Fraction, rootAt, type Ticks } from "./prices.ts"

/** Computes liquidity and amounts of a position as Uniswap V3 does. Prices are square roots in Q64.96 format. */

/** Amounts of token0 and token1, in base units. */
export type AmountPair = readonly [bigint, bigint]

/** A price range. */
type PriceRange = readonly [low: bigint, high: bigint]

const clamp = (value: bigint, [low, high]: PriceRange): bigint => smallest(largest(value, low), high)

/** Returns the amounts of both tokens that correspond to liquidity in a range, rounded down. */
const amountsRoundingDown = (price: bigint, range: PriceRange, liquidity: bigint): AmountPair => {
  const [lower, upper] = range
  const clampedPrice = clamp(price, range)
  return [
    ((liquidity << 96n) * (upper - clampedPrice)) / (upper * clampedPrice),
    (liquidity * (clampedPrice - lower)) >> 96n
  ]
}

/** Returns the liquidity that both amounts can provide at a price, rounded down. */
const liquidityRoundingDown = (price: bigint, range: PriceRange, [amount0, amount1]: AmountPair): bigint => {
  const [lower, upper] = range
  const clampedPrice = clamp(price, range)
  const liquidity0 = clampedPrice < upper ? (amount0 * ((clampedPrice * upper) >> 96n)) / (upper - clampedPrice) : null
  const liquidity1 = clampedPrice > lower ? (amount1 << 96n) / (clampedPrice - lower) : null
  return liquidity0 === null ? (liquidity1 ?? 0n) : liquidity1 === null ? liquidity0 : smallest(liquidity0, liquidity1)
}

/**
 * Computes a square root with Newton's method, starting from above. The first value that does not decrease is the root,
 * rounded down.
 */
const squareRootRoundingDown = (square: bigint): bigint => {
  let root = 1n << BigInt(square.toString(2).length)
  for (;;) {
    const nextRoot = (root + square / root) >> 1n
    if (nextRoot >= root) return root
    root = nextRoot
  }
}

const rangeOf = ({ tickLower, tickUpper }: Ticks): PriceRange => [rootAt(tickLower), rootAt(tickUpper)]

/**
 * Returns the price range in which a position with this liquidity has these amounts, with a tolerance of one base unit
 * for rounding. Null if there is no such price. If the price is outside of the ticks, the result is the nearest tick.
 * Without liquidity and amounts, the result is the range of the ticks.
 */
export const pricesOf = (ticks: Ticks, liquidity: bigint, [amount0, amount1]: AmountPair): PriceRange | null => {
  const range = rangeOf(ticks)
  const [lower, upper] = range
  if (liquidity === 0n) return amount0 === 0n && amount1 === 0n ? range : null
  const priceOfAmount0 = (amount: bigint): bigint =>
    ((liquidity << 96n) * upper) / ((liquidity << 96n) + amount * upper)
  const priceOfAmount1 = (amount: bigint): bigint => lower + (amount << 96n) / liquidity
  const subtractOne = (amount: bigint): bigint => largest(amount - 1n, 0n)
  const low = largest(lower, priceOfAmount0(amount0 + 1n), priceOfAmount1(subtractOne(amount1)))
  const high = smallest(upper, smallest(priceOfAmount0(subtractOne(amount0)), priceOfAmount1(amount1 + 1n)) + 1n)
  return low > high ? null : [low, high]
}

/** Returns the lowest and the highest price that the slippage allows. */
const pricesWithSlippage = ([low, high]: PriceRange, { over, under }: Fraction): PriceRange => {
  const movePrice = (price: bigint, share: bigint) => squareRootRoundingDown((price ** 2n * share) / (100n * under))
  return [movePrice(low, 100n * under - over), movePrice(high, 100n * under + over) + 1n]
}

/** Tolerance in base units, because contracts and SDKs round amounts differently. */
const ROUNDING = 2n

/** Returns the liquidity less a rounding tolerance, which is at least `ROUNDING`. */
const subtractRounding = (liquidity: bigint): bigint => largest(liquidity - liquidity / 10n ** 15n - ROUNDING, 0n)

/** Returns the minimum amounts for removed liquidity: token0 at the highest price, token1 at the lowest price. */
export const minBurnAmounts = (ticks: Ticks, prices: PriceRange, slippage: Fraction, liquidity: bigint): AmountPair => {
  const range = rangeOf(ticks)
  const [low, high] = pricesWithSlippage(prices, slippage)
  return [
    amountsRoundingDown(high, range, liquidity)[0] - ROUNDING,
    amountsRoundingDown(low, range, liquidity)[1] - ROUNDING
  ]
}

/**
 * Returns the maximum amount of each token in removed liquidity that has at least the minimum amounts. A token has its
 * maximum at the price at which the other token has its minimum.
 */
export const maxBurnAmounts = (ticks: Ticks, liquidity: bigint, [min0, min1]: AmountPair): AmountPair => {
  const range = rangeOf(ticks)
  const [lower, upper] = range
  if (liquidity === 0n) return [0n, 0n]
  const lowPrice = lower + (min1 << 96n) / liquidity
  const highPrice = ((liquidity << 96n) * upper) / ((liquidity << 96n) + min0 * upper) + 1n
  return [amountsRoundingDown(lowPrice, range, liquidity)[0], amountsRoundingDown(highPrice, range, liquidity)[1]]
}

/**
 * Returns the minimum amounts that a position uses of a deposit: token0 at the highest price, token1 at the lowest
 * price.
 */
export const minMintAmounts = (
  ticks: Ticks,
  prices: PriceRange,
  slippage: Fraction,
  amounts: AmountPair
): AmountPair => {
  const range = rangeOf(ticks)
  const [low, high] = pricesWithSlippage(prices, slippage)
  const amountsAt = (price: bigint): AmountPair =>
    amountsRoundingDown(price, range, subtractRounding(liquidityRoundingDown(price, range, amounts)))
  return [amountsAt(high)[0] - ROUNDING, amountsAt(low)[1] - ROUNDING]
}
