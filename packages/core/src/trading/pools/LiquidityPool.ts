import { type DecimalString, decimalFromBaseUnits, mulDivRoundingDown } from "../../foundation/primitives/index.ts"
import { type Token, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { PoolState } from "./PoolMarket.ts"
import type { PricedToken } from "./PoolRef.ts"
import type { PoolStatisticsOverRange } from "./PoolStatistics.ts"

/** A pool's balance of one of its tokens. */
export interface PoolTokenBalance {
  readonly token: Token
  /** In base units, including uncollected fees. */
  readonly balance: bigint
  /** Millionths of a US dollar, rounded down. Null if the price is unknown. */
  readonly valueUsdE6: bigint | null
  /**
   * The token's fraction of the pool's value, scaled by 10^6. The fraction of token0 is rounded down, and that of
   * token1 is the remainder. Null if unknown.
   */
  readonly shareE6: bigint | null
}

/** A pool with its balances. */
export interface ValuedPool {
  readonly state: PoolState
  readonly sides: readonly [PoolTokenBalance, PoolTokenBalance]
  readonly priced: readonly [PricedToken, PricedToken]
  /** Null if the price of a token is unknown. */
  readonly valueUsdE6: bigint | null
}

/** A pool for display. */
export interface LiquidityPool extends ValuedPool {
  readonly statistics: PoolStatisticsOverRange
}

const USD_DECIMALS = 6
const MILLION = 1_000_000n

export const usdTextOrNull = (usdE6: bigint | null): DecimalString | null =>
  usdE6 === null ? null : decimalFromBaseUnits(usdE6, USD_DECIMALS)

/** Computes the value of a pool, and each token's fraction of it, from the balances and the token prices. */
export const valuePool = (
  state: PoolState,
  tokens: readonly [Token, Token],
  priced: readonly [PricedToken, PricedToken]
): ValuedPool => {
  const valueOf = (i: 0 | 1): bigint | null => {
    const { decimals, price } = priced[i]
    return price === null ? null : usdE6RoundingDown(state.balances[i], decimals, price)
  }
  const [value0, value1] = [valueOf(0), valueOf(1)]
  const valueUsdE6 = value0 === null || value1 === null ? null : value0 + value1
  // If the total is known, the fraction of token1 is the remainder, so that both fractions add up to one.
  const share0E6 =
    valueUsdE6 === null || value0 === null || valueUsdE6 === 0n ? null : mulDivRoundingDown(value0, MILLION, valueUsdE6)
  const sideOf = (i: 0 | 1, value: bigint | null, shareE6: bigint | null): PoolTokenBalance => ({
    token: tokens[i],
    balance: state.balances[i],
    valueUsdE6: value,
    shareE6
  })
  return {
    state,
    priced,
    sides: [sideOf(0, value0, share0E6), sideOf(1, value1, share0E6 === null ? null : MILLION - share0E6)],
    valueUsdE6
  }
}

/** Sorts by value, highest first. Pools with an unknown value come last. The order is deterministic. */
export const compareByValue = (a: ValuedPool, b: ValuedPool): number => {
  const [valueA, valueB] = [a.valueUsdE6 ?? -1n, b.valueUsdE6 ?? -1n]
  if (valueA !== valueB) return valueA < valueB ? 1 : -1
  return a.state.address < b.state.address ? -1 : 1
}
