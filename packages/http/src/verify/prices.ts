import { Unreadable } from "./bytes.ts"

/**
 * Computes prices of Uniswap V3 in base units of token1 per base unit of token0, and their square roots at ticks in
 * Q64.96 format (`TickMath.sol`).
 */

const MAX_TICK = 887_272

export interface Ticks {
  readonly tickLower: number
  readonly tickUpper: number
}

/** A price or share as a fraction: numerator `over`, denominator `under`. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

/** 2^128 / sqrt(1.0001)^(2^i), rounded as in the contract. */
const FACTORS_X128 = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n
]

export const rootAt = (tick: number): bigint => {
  if (!Number.isInteger(tick) || Math.abs(tick) > MAX_TICK) throw new Unreadable(`${tick} is not a tick`)
  let ratioX128 = 1n << 128n
  for (const [bit, factor] of FACTORS_X128.entries()) {
    if ((Math.abs(tick) & (1 << bit)) !== 0) ratioX128 = (ratioX128 * factor) >> 128n
  }
  if (tick > 0) ratioX128 = (2n ** 256n - 1n) / ratioX128
  return (ratioX128 + 0xffffffffn) >> 32n
}

/** Tick spacing by fee in millionths, from Uniswap's factories. Some fees exist only on some chains. */
const SPACINGS: Readonly<Record<number, number>> = { 100: 1, 200: 4, 300: 6, 400: 8, 500: 10, 3000: 60, 10000: 200 }

/** A denominator that makes a minimum price of zero lower than any pool price. */
const INFINITE_DENOMINATOR = 10n ** 120n

/** Converts the decimal notation of a number to an exact fraction. */
export const fractionOf = (value: number): Fraction => {
  const [mantissa = "0", exponent = "0"] = String(value).split("e")
  const [digits = "0", decimals = ""] = mantissa.split(".")
  const scale = decimals.length - Number(exponent)
  const wholeNumber = BigInt(digits + decimals)
  return scale < 0
    ? { over: wholeNumber * 10n ** BigInt(-scale), under: 1n }
    : { over: wholeNumber, under: 10n ** BigInt(scale) }
}

/** How a price is stated: display units of the quote token per display unit of the base token. */
export interface Convention {
  /** Decimals of the base token. */
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /** Whether the base token is the pool's token0. */
  readonly baseIsToken0: boolean
}

export interface RequestedPrices {
  readonly minPrice: number
  readonly maxPrice: number
}

/** Converts the requested prices to the pool's token order. The lower price is first. */
const poolPrices = ({ maxPrice, minPrice }: RequestedPrices, convention: Convention): readonly [Fraction, Fraction] => {
  const { baseDecimals, baseIsToken0, quoteDecimals } = convention
  const [low, high] = [minPrice, maxPrice].map((price): Fraction => {
    const { over, under } = price === 0 ? { over: 1n, under: INFINITE_DENOMINATOR } : fractionOf(price)
    const [quote, base] = [over * 10n ** BigInt(quoteDecimals), under * 10n ** BigInt(baseDecimals)]
    return baseIsToken0 ? { over: quote, under: base } : { over: base, under: quote }
  }) as [Fraction, Fraction]
  return baseIsToken0 ? [low, high] : [high, low]
}

/** Compares the price at a tick with another price. Negative if the price at the tick is lower. */
const compare = (tick: number, { over, under }: Fraction): number => {
  const difference = rootAt(tick) ** 2n * under - (over << 192n)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const spacingOf = (feePips: number): number => {
  const spacing = SPACINGS[feePips]
  if (spacing === undefined) throw new Unreadable(`Uniswap V3 has no known pools with a fee of ${feePips} millionths`)
  return spacing
}

/** Returns whether the ticks are the nearest usable ticks that enclose the requested prices, within the valid range. */
export const areTicksAround = (
  { tickLower, tickUpper }: Ticks,
  requestedPrices: RequestedPrices,
  convention: Convention,
  feePips: number
): boolean => {
  const spacing = spacingOf(feePips)
  const highestTick = Math.floor(MAX_TICK / spacing) * spacing
  if (tickLower < -highestTick || tickUpper > highestTick || tickLower % spacing !== 0 || tickUpper % spacing !== 0)
    return false
  const [low, high] = poolPrices(requestedPrices, convention)
  const isLower =
    compare(tickLower, low) <= 0
      ? tickLower === highestTick || compare(tickLower + spacing, low) > 0
      : tickLower === -highestTick
  const isUpper =
    compare(tickUpper, high) >= 0
      ? tickUpper === -highestTick || compare(tickUpper - spacing, high) < 0
      : tickUpper === highestTick
  return isLower && isUpper && tickLower < tickUpper
}

/**
 * Returns whether the prices match this range within one tick spacing. The tolerance is necessary because displayed
 * prices may be rounded.
 */
export const areTicksNear = (
  { tickLower, tickUpper }: Ticks,
  requestedPrices: RequestedPrices,
  convention: Convention,
  feePips: number
): boolean => {
  const spacing = spacingOf(feePips)
  const prices = poolPrices(requestedPrices, convention)
  return [tickLower, tickUpper].every(
    (tick, i) =>
      (tick - spacing < -MAX_TICK || compare(tick - spacing, prices[i]!) <= 0) &&
      (tick + spacing + 1 > MAX_TICK || compare(tick + spacing + 1, prices[i]!) > 0)
  )
}
