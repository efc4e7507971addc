import { largest, smallest } from "./bytes.ts"
import { type Fraction, rootAt, type Ticks } from "./prices.ts"

/** Liquidity and amounts of a position, as in Uniswap V3. Prices are Q64.96 square roots. */

/** Amounts of token0 and token1, in base units. */
export type Pair = readonly [bigint, bigint]

/** A range of prices. */
type Between = readonly [low: bigint, high: bigint]

const clamp = (value: bigint, [low, high]: Between): bigint => smallest(largest(value, low), high)

/** The amounts of liquidity in a range at a price, rounded down. */
const amountsRoundingDown = (price: bigint, range: Between, liquidity: bigint): Pair => {
  const [lower, upper] = range
  const at = clamp(price, range)
  return [((liquidity << 96n) * (upper - at)) / (upper * at), (liquidity * (at - lower)) >> 96n]
}

/** The liquidity that both amounts support at a price, rounded down. */
const liquidityRoundingDown = (price: bigint, range: Between, [amount0, amount1]: Pair): bigint => {
  const [lower, upper] = range
  const at = clamp(price, range)
  const by0 = at < upper ? (amount0 * ((at * upper) >> 96n)) / (upper - at) : null
  const by1 = at > lower ? (amount1 << 96n) / (at - lower) : null
  return by0 === null ? (by1 ?? 0n) : by1 === null ? by0 : smallest(by0, by1)
}

/** Newton's method from above. The first value that does not decrease is the root, rounded down. */
const squareRootRoundingDown = (square: bigint): bigint => {
  let root = 1n << BigInt(square.toString(2).length)
  for (;;) {
    const nextRoot = (root + square / root) >> 1n
    if (nextRoot >= root) return root
    root = nextRoot
  }
}

const rangeOf = ({ tickLower, tickUpper }: Ticks): Between => [rootAt(tickLower), rootAt(tickUpper)]

/**
 * The prices at which this liquidity equals these amounts, with any rounding; null if there are none. For a price
 * outside of the range only the end of the range is known.
 */
export const pricesOf = (ticks: Ticks, liquidity: bigint, [amount0, amount1]: Pair): Between | null => {
  const range = rangeOf(ticks)
  const [lower, upper] = range
  if (liquidity === 0n) return amount0 === 0n && amount1 === 0n ? range : null
  const by0 = (amount: bigint): bigint => ((liquidity << 96n) * upper) / ((liquidity << 96n) + amount * upper)
  const by1 = (amount: bigint): bigint => lower + (amount << 96n) / liquidity
  const lessOne = (amount: bigint): bigint => largest(amount - 1n, 0n)
  const low = largest(lower, by0(amount0 + 1n), by1(lessOne(amount1)))
  const high = smallest(upper, smallest(by0(lessOne(amount0)), by1(amount1 + 1n)) + 1n)
  return low > high ? null : [low, high]
}

/** The extreme prices that a slippage in percent allows. */
const pricesWithSlippage = ([low, high]: Between, { over, under }: Fraction): Between => {
  const movedPrice = (price: bigint, share: bigint) => squareRootRoundingDown((price ** 2n * share) / (100n * under))
  return [movedPrice(low, 100n * under - over), movedPrice(high, 100n * under + over) + 1n]
}

/** Tolerance for an amount that contracts and SDKs may round in different ways. */
const ROUNDING = 2n

/** Tolerance for liquidity: if it has few units, one unit is this fraction of it. */
const lessByRounding = (liquidity: bigint): bigint => largest(liquidity - liquidity / 10n ** 15n - ROUNDING, 0n)

/** The minimum amounts of both tokens from removed liquidity: token0 at the higher price, token1 at the lower price. */
export const minOfBurn = (ticks: Ticks, prices: Between, slippage: Fraction, liquidity: bigint): Pair => {
  const range = rangeOf(ticks)
  const [low, high] = pricesWithSlippage(prices, slippage)
  return [
    amountsRoundingDown(high, range, liquidity)[0] - ROUNDING,
    amountsRoundingDown(low, range, liquidity)[1] - ROUNDING
  ]
}

/** The minimum parts of these amounts that a position uses. */
export const minOfMint = (ticks: Ticks, prices: Between, slippage: Fraction, amounts: Pair): Pair => {
  const range = rangeOf(ticks)
  const [low, high] = pricesWithSlippage(prices, slippage)
  const at = (price: bigint): Pair =>
    amountsRoundingDown(price, range, lessByRounding(liquidityRoundingDown(price, range, amounts)))
  return [at(high)[0] - ROUNDING, at(low)[1] - ROUNDING]
}
