import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, mulDivRoundingDown } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import {
  amountsForLiquidityRoundingDown,
  type ConcentratedPool,
  type Pool,
  sqrtPriceX96AtTick,
  swapFeePips,
  type TokenAmounts
} from "@countersign/core/trading/liquidity"
import { Effect } from "effect"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import { contractOf, feePipsOf, type PoolKey } from "./PoolKey.ts"
import { PoolReader } from "./PoolReader.ts"
import { currencyPairs } from "./poolKeys.ts"
import { skippedPoolsOf } from "./skippedPools.ts"

/** A pool of two tokens, as an operator's survey shows it. */
export interface SurveyedPool {
  readonly venue: string
  readonly contract: Address
  /** Id of the pool if its contract contains several pools; null otherwise. */
  readonly poolId: string | null
  /** Fee of a swap from the first to the second token, in millionths. */
  readonly feePips: number
  /** Mid price: amount of the second token per first token, and the inverse, scaled by 10^18 and rounded down. */
  readonly priceE18: bigint
  readonly inversePriceE18: bigint
  /** The pool's balances in base units. For concentrated liquidity they cover only the ticks that were read. */
  readonly amounts: readonly [bigint, bigint]
  /** Number of initialized ticks that were read; null for a pool without ticks. */
  readonly ticksRead: number | null
}

const E18 = 10n ** 18n
const Q192 = 1n << 192n

/** Sums the amounts in the ranges between the ticks that were read, from the active liquidity of each range. */
const amountsWithinTicks = (pool: ConcentratedPool): TokenAmounts => {
  let amount0 = 0n
  let amount1 = 0n
  const add = (lower: number, upper: number, liquidity: bigint) => {
    const range = { lowerPriceX96: sqrtPriceX96AtTick(lower), upperPriceX96: sqrtPriceX96AtTick(upper) }
    const amounts = amountsForLiquidityRoundingDown(pool.sqrtPriceX96, range, liquidity)
    amount0 += amounts.amount0
    amount1 += amounts.amount1
  }
  const ticksAbove = pool.ticks.filter(({ index }) => index > pool.tick)
  const ticksBelow = pool.ticks.filter(({ index }) => index <= pool.tick)
  let liquidity = pool.liquidity
  let lower = ticksBelow.at(-1)?.index ?? pool.tick
  for (const { index, liquidityNet } of ticksAbove) {
    add(lower, index, liquidity)
    liquidity += liquidityNet
    lower = index
  }
  liquidity = pool.liquidity
  for (const [i, { index, liquidityNet }] of ticksBelow.toReversed().entries()) {
    if (i > 0) add(index, ticksBelow.at(-i)!.index, liquidity)
    liquidity -= liquidityNet
  }
  return { amount0, amount1 }
}

/** Returns the price of token0 in token1, in base units, as numerator and denominator. */
const priceOf = (pool: Pool): readonly [bigint, bigint] =>
  pool._tag === "ConstantProduct" ? [pool.reserve1, pool.reserve0] : [pool.sqrtPriceX96 * pool.sqrtPriceX96, Q192]

const surveyedPoolOf = (key: PoolKey, pool: Pool, first: Token, second: Token, pooledFirst: Address): SurveyedPool => {
  const isFirst0 = key.token0 === pooledFirst
  const [numerator, denominator] = priceOf(pool)
  const [unitFirst, unitSecond] = [10n ** BigInt(first.decimals), 10n ** BigInt(second.decimals)]
  const [priceNumerator, priceDenominator] = isFirst0 ? [numerator, denominator] : [denominator, numerator]
  const { amount0, amount1 } =
    pool._tag === "ConstantProduct" ? { amount0: pool.reserve0, amount1: pool.reserve1 } : amountsWithinTicks(pool)
  return {
    venue: key.venue,
    contract: contractOf(key),
    poolId: key._tag === "V4" ? key.id : null,
    feePips: pool._tag === "Concentrated" ? swapFeePips(pool, isFirst0) : feePipsOf(key),
    priceE18: mulDivRoundingDown(priceNumerator * unitFirst, E18, priceDenominator * unitSecond),
    inversePriceE18: mulDivRoundingDown(priceDenominator * unitSecond, E18, priceNumerator * unitFirst),
    amounts: isFirst0 ? [amount0, amount1] : [amount1, amount0],
    ticksRead: pool._tag === "Concentrated" ? pool.ticks.length : null
  }
}

/** Reads the pools of two tokens at the latest block, and the pools that quotes skip. */
export const surveyPair = Effect.fn("surveyPair")(function* (chainId: EvmChainId, first: Token, second: Token) {
  const reader = yield* PoolReader
  const deployment = deploymentOf(chainId)
  const pooledAddress = ({ address }: Token) => pooledToken(address, deployment)
  const keys = reader.keys(chainId, pooledAddress(first), pooledAddress(second))
  const { block, pools } = yield* reader.read(chainId, keys)
  const keyOf = new Map(keys.map((key) => [key.id, key]))
  return {
    block,
    pools: pools.map((pool) => surveyedPoolOf(keyOf.get(pool.id)!, pool, first, second, pooledAddress(first))),
    skipped: yield* skippedPoolsOf(
      chainId,
      currencyPairs(deployment, pooledAddress(first), pooledAddress(second)),
      new Set(keyOf.keys())
    )
  }
})
