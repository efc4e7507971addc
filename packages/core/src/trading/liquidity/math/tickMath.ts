/** Conversions between Uniswap V3's ticks and square root prices, bit-exact with `TickMath.sol`. */

export const MIN_TICK = -887272
export const MAX_TICK = 887272
/** Equals `sqrtPriceX96AtTick(MIN_TICK)`. */
export const MIN_SQRT_PRICE_X96 = 4295128739n
/** Equals `sqrtPriceX96AtTick(MAX_TICK)`. A pool's price is always lower. */
export const MAX_SQRT_PRICE_X96 = 1461446703485210103287273052203988822378723970342n

/**
 * Returns the limit for the square root price (Q64.96) of a swap in this direction, as `sqrtPriceLimitX96` of the
 * routers. A swap can't go beyond it.
 */
export const priceLimit = (zeroForOne: boolean): bigint =>
  zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n

/** Element i is 2^128 / sqrt(1.0001)^(2^i), rounded as in the contract. */
const factorsX128 = [
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
] as const

const MAX_UINT256 = 2n ** 256n - 1n

/** Returns sqrt(1.0001^tick) as a Q64.96 number. */
export const sqrtPriceX96AtTick = (tick: number): bigint => {
  const distance = Math.abs(tick)
  let ratioX128 = 1n << 128n
  for (let bit = 0; bit < factorsX128.length; bit++) {
    if ((distance & (1 << bit)) !== 0) ratioX128 = (ratioX128 * factorsX128[bit]!) >> 128n
  }
  if (tick > 0) ratioX128 = MAX_UINT256 / ratioX128
  // Rounded up, so that `tickAtSqrtPriceX96` returns the same tick for this price.
  return (ratioX128 + 0xffffffffn) >> 32n
}

/** Number of fractional bits of the logarithm, as in the contract. */
const LOG_FRACTION_BITS = 14
/** 2^64 / log2(sqrt(1.0001)). The next two constants are the error bounds of the logarithm. */
const TICKS_PER_LOG2_X64 = 255738958999603826347141n
const LOG_ERROR_DOWN_X128 = 3402992956809132418596140100660247210n
const LOG_ERROR_UP_X128 = 291339464771989622907027621153398088495n

/** Returns the index of the highest set bit. */
const highestBit = (value: bigint): number => {
  const text = value.toString(16)
  return text.length * 4 - 1 - Math.clz32(Number.parseInt(text[0]!, 16)) + 28
}

/**
 * Returns the highest tick whose price is at most this price. As in the contract, a binary logarithm reduces the
 * candidates to at most two ticks, whose prices are then compared.
 */
export const tickAtSqrtPriceX96 = (sqrtPriceX96: bigint): number => {
  const bit = highestBit(sqrtPriceX96)
  let r = bit >= 95 ? (sqrtPriceX96 << 32n) >> BigInt(bit - 95) : sqrtPriceX96 << BigInt(127 - bit)
  let logarithm = BigInt(bit - 96)
  for (let i = 0; i < LOG_FRACTION_BITS; i++) {
    r = (r * r) >> 127n
    const fractionBit = r >> 128n
    logarithm = (logarithm << 1n) | fractionBit
    r >>= fractionBit
  }
  const ticksX128 = (logarithm << BigInt(64 - LOG_FRACTION_BITS)) * TICKS_PER_LOG2_X64
  const lower = Number((ticksX128 - LOG_ERROR_DOWN_X128) >> 128n)
  const upper = Number((ticksX128 + LOG_ERROR_UP_X128) >> 128n)
  return lower === upper || sqrtPriceX96AtTick(upper) > sqrtPriceX96 ? lower : upper
}

/** Returns the lowest and the highest valid tick that are multiples of the tick spacing. */
export const usableTickEnds = (tickSpacing: number): readonly [lowest: number, highest: number] => [
  Math.ceil(MIN_TICK / tickSpacing) * tickSpacing,
  Math.floor(MAX_TICK / tickSpacing) * tickSpacing
]
