import type { Address } from "../../foundation/primitives/index.ts"
import {
  type ConcentratedPool,
  type ConstantProductPool,
  NO_PROTOCOL_FEE,
  type Pool,
  sqrtPriceX96AtTick
} from "../liquidity/index.ts"
import type { RandomNumbers } from "../liquidity/math/randomPools.fixture.ts"

const token = (digit: number) => `0x${`${digit}`.repeat(40)}` as Address
/** The price of a base unit of each token, as an exponent of 1.0001. */
const logPrices = [0, 3_000, -20_000, 700, 12_000]
export const tokens: ReadonlyArray<Address> = logPrices.map((_, i) => token(i + 1))

const pairOf = (
  random: RandomNumbers,
  id: string,
  a: number,
  b: number,
  depth: bigint,
  tickOffset: number
): ConstantProductPool => {
  const price = 1.0001 ** (logPrices[a]! - logPrices[b]! + tickOffset)
  const [feeNumerator, feeDenominator] = random.of([
    [997n, 1_000n],
    [9_975n, 10_000n]
  ] as const)
  return {
    _tag: "ConstantProduct",
    id,
    token0: tokens[a]!,
    token1: tokens[b]!,
    reserve0: depth,
    reserve1: (depth * BigInt(Math.round(price * 1e9))) / 10n ** 9n,
    feeNumerator,
    feeDenominator
  }
}

const concentratedPool = (
  random: RandomNumbers,
  id: string,
  a: number,
  b: number,
  depth: bigint,
  tickOffset: number
): ConcentratedPool => {
  const tickSpacing = random.of([10, 60])
  const tick = logPrices[a]! - logPrices[b]! + tickOffset
  const centerTick = Math.round(tick / tickSpacing) * tickSpacing
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  for (let i = 0; i < 1 + random.below(6); i++) {
    const maxOffset = tickSpacing * (2 + random.below(60))
    const share = (depth * BigInt(1 + random.below(30))) / 10n
    const [lower, upper] = [centerTick - maxOffset, centerTick + maxOffset - tickSpacing * random.below(2)]
    nets.set(lower, (nets.get(lower) ?? 0n) + share)
    nets.set(upper, (nets.get(upper) ?? 0n) - share)
    if (lower <= tick && tick < upper) liquidity += share
  }
  return {
    _tag: "Concentrated",
    id,
    token0: tokens[a]!,
    token1: tokens[b]!,
    feePips: random.of([100, 500, 3_000, 10_000]),
    protocolFeePips: random.of([NO_PROTOCOL_FEE, { zeroForOne: 500, oneForZero: 1_000 }]),
    tickSpacing,
    sqrtPriceX96: sqrtPriceX96AtTick(tick),
    tick,
    liquidity,
    ticks: [...nets].map(([index, liquidityNet]) => ({ index, liquidityNet })).sort((x, y) => x.index - y.index),
    firstWord: -4_000,
    lastWord: 4_000
  }
}

/**
 * Creates up to `poolsOfAPair` pools between each pair of tokens. Each has a random type, high or low liquidity, and a
 * slightly different price.
 */
export const randomPools = (random: RandomNumbers, tokenCount: number, poolsOfAPair: number): ReadonlyArray<Pool> => {
  const pools: Array<Pool> = []
  for (let a = 0; a < tokenCount; a++) {
    for (let b = a + 1; b < tokenCount; b++) {
      for (let i = 0; i < poolsOfAPair; i++) {
        if (random.below(6) === 0) continue
        const depth = 10n ** BigInt(20 + random.below(4)) * BigInt(1 + random.below(9))
        const make = random.of([pairOf, concentratedPool])
        pools.push(make(random, `0x${a}${b}${i}`, a, b, depth, random.below(80) - 40))
      }
    }
  }
  return pools
}
