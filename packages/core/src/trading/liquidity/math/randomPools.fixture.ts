import { Address } from "../../../foundation/primitives/index.ts"
import { type ConcentratedPool, type InitializedTick, tickToWord } from "./ConcentratedPool.ts"
import { MAX_TICK, MIN_TICK, sqrtPriceX96AtTick } from "./tickMath.ts"

/** Returns a deterministic pseudorandom number generator (splitmix32). */
export const randomNumbers = (seed: number) => {
  let state = seed
  const randomBelow = (limit: number): number => {
    state = (state + 0x9e3779b9) | 0
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return Math.floor((((z ^ (z >>> 15)) >>> 0) / 2 ** 32) * limit)
  }
  const bits = (count: number): bigint => {
    let value = 0n
    for (let i = 0; i < count; i += 32) value = (value << 32n) | BigInt(randomBelow(2 ** 32))
    return value & ((1n << BigInt(count)) - 1n)
  }
  return {
    below: randomBelow,
    /** Returns a number with at most `maxBits` bits. Its maximum bit length is uniformly distributed. */
    magnitude: (maxBits: number): bigint => bits(1 + randomBelow(maxBits)),
    bits,
    of: <A>(values: ReadonlyArray<A>): A => values[randomBelow(values.length)]!
  }
}

export type RandomNumbers = ReturnType<typeof randomNumbers>

const address = (digit: string) => Address.make(`0x${digit.repeat(40)}`)

interface Position {
  readonly lower: number
  readonly upper: number
  readonly liquidity: bigint
}

const randomPositions = (random: RandomNumbers, tickSpacing: number, middle: number): ReadonlyArray<Position> => {
  const usableTick = (tick: number) =>
    Math.max(Math.ceil(MIN_TICK / tickSpacing), Math.min(Math.floor(MAX_TICK / tickSpacing), tick)) * tickSpacing
  const maxOffset = random.of([3, 40, 400, 2_000])
  const middleTick = Math.round(middle / tickSpacing)
  return Array.from({ length: random.of([0, 1, 2, 5, 20, 80, 150]) }, () => {
    const firstTick = usableTick(middleTick + random.below(2 * maxOffset) - maxOffset)
    const secondTick = usableTick(middleTick + random.below(2 * maxOffset) - maxOffset)
    return {
      lower: Math.min(firstTick, secondTick),
      upper: Math.max(firstTick, secondTick),
      liquidity: random.magnitude(random.of([20, 60, 100])) + 1n
    }
  }).filter(({ lower, upper }) => lower < upper)
}

const ticksOf = (positions: ReadonlyArray<Position>): ReadonlyArray<InitializedTick> => {
  const nets = new Map<number, bigint>()
  const add = (index: number, net: bigint) => nets.set(index, (nets.get(index) ?? 0n) + net)
  for (const { liquidity, lower, upper } of positions) {
    add(lower, liquidity)
    add(upper, -liquidity)
  }
  // A tick with a net liquidity of zero stays initialized, because positions still start or end at it.
  return [...nets].map(([index, liquidityNet]) => ({ index, liquidityNet })).sort((a, b) => a.index - b.index)
}

/** Returns a valid tick: near the middle of the range, anywhere in it, or near an end. */
const randomTick = (random: RandomNumbers): number =>
  random.of([
    () => random.below(2_000) - 1_000,
    () => random.below(400_000) - 200_000,
    () => random.below(MAX_TICK - MIN_TICK) + MIN_TICK,
    () => MIN_TICK + random.below(3),
    () => MAX_TICK - 1 - random.below(3)
  ])()

/**
 * Returns a pool state that the contracts can produce. It has positions of any size around its price, some unread
 * words, fees up to the maximum of Uniswap V4, and any price within its tick. Sometimes a swap has just crossed a tick
 * downward, so the price equals the price of that tick while `tick` is one lower.
 */
export const randomPool = (random: RandomNumbers): ConcentratedPool => {
  const tickSpacing = random.of([1, 2, 10, 50, 60, 200])
  const tick = randomTick(random)
  const ticks = ticksOf(randomPositions(random, tickSpacing, tick))
  const crossedTick = random.below(8) === 0 ? ticks[random.below(ticks.length)] : undefined
  const currentTick = crossedTick === undefined ? tick : crossedTick.index - 1
  const [from, to] = [sqrtPriceX96AtTick(currentTick), sqrtPriceX96AtTick(currentTick + 1)]
  const price = crossedTick === undefined && random.below(4) > 0 ? from + (random.bits(160) % (to - from)) : from
  const word = tickToWord(currentTick, tickSpacing)
  const radius = random.below(40) === 0 ? Math.ceil(3_500 / tickSpacing) : random.of([0, 1, 3, 8])
  return {
    _tag: "Concentrated",
    id: address("1"),
    token0: address("2"),
    token1: address("3"),
    feePips: random.of([0, 1, 100, 500, 3_000, 10_000, 999_999, random.below(1_000_000)]),
    protocolFeePips: {
      zeroForOne: random.of([0, random.below(1_001)]),
      oneForZero: random.of([0, random.below(1_001)])
    },
    tickSpacing,
    sqrtPriceX96: crossedTick === undefined ? price : to,
    tick: currentTick,
    liquidity: ticks.reduce((sum, { index, liquidityNet }) => (index <= currentTick ? sum + liquidityNet : sum), 0n),
    ticks: ticks.filter(({ index }) => Math.abs(tickToWord(index, tickSpacing) - word) <= radius),
    firstWord: word - radius,
    lastWord: word + radius
  }
}

/** Returns an amount between zero and more than a pool can hold. */
export const randomAmount = (random: RandomNumbers): bigint => random.magnitude(random.of([8, 64, 128, 200]))
