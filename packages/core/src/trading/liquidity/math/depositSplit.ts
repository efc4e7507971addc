import { maxBigInt, minBigInt } from "../../../foundation/primitives/index.ts"
import {
  liquidityByToken,
  liquidityForAmountsRoundingDown,
  type PriceRange,
  type TokenAmounts
} from "./liquidityAmounts.ts"

/**
 * The result of splitting an amount and swapping both shares: the amounts of the two tokens, and the pool's price after
 * the swaps.
 */
export interface DepositSplit {
  readonly amounts: TokenAmounts
  /** The price as a Q64.96 square root. */
  readonly sqrtPriceX96: bigint
}

/** The split is not possible, because the pools' liquidity is too low for the share of this token. */
export interface InsufficientLiquidity {
  readonly tooMuchFor: 0 | 1
}

export interface BestDepositSplit<D extends DepositSplit> {
  /** Base units of the amount that become token1. The remainder becomes token0, or already is token0. */
  readonly forToken1: bigint
  readonly division: D
  readonly liquidity: bigint
}

const isInsufficient = (outcome: DepositSplit | InsufficientLiquidity): outcome is InsufficientLiquidity =>
  "tooMuchFor" in outcome

/** Maximum distance in base units between the result of the bisection and the best split. It is caused by rounding. */
const ADJACENT_SPLITS = 2n

/**
 * Splits a deposit between token0 and token1 so that it mints the most liquidity. A larger share for token1 raises the
 * liquidity that token1 allows, and lowers the liquidity that token0 allows. The best split is where both are equal.
 * Bisection finds it. Adjacent splits are also compared, because each step rounds. `simulateSplit` simulates the swaps of a
 * split. Null if no split is possible.
 */
export const bestDepositSplit = <D extends DepositSplit>(
  amount: bigint,
  range: PriceRange,
  simulateSplit: (forToken1: bigint) => D | InsufficientLiquidity
): BestDepositSplit<D> | null => {
  const isEnoughForToken1 = (forToken1: bigint): boolean => {
    const outcome = simulateSplit(forToken1)
    if (isInsufficient(outcome)) return outcome.tooMuchFor === 1
    const { byToken0, byToken1 } = liquidityByToken(outcome.sqrtPriceX96, range, outcome.amounts)
    if (byToken0 === null) return false
    return byToken1 === null || byToken1 >= byToken0
  }
  let low = 0n
  let high = amount
  while (low < high) {
    const midpoint = (low + high) / 2n
    if (isEnoughForToken1(midpoint)) high = midpoint
    else low = midpoint + 1n
  }
  let best: BestDepositSplit<D> | null = null
  for (
    let forToken1 = maxBigInt(0n, low - ADJACENT_SPLITS);
    forToken1 <= minBigInt(amount, low + ADJACENT_SPLITS);
    forToken1 += 1n
  ) {
    const split = simulateSplit(forToken1)
    if (isInsufficient(split)) continue
    const liquidity = liquidityForAmountsRoundingDown(split.sqrtPriceX96, range, split.amounts)
    if (best === null || liquidity > best.liquidity) best = { forToken1, division: split, liquidity }
  }
  return best
}
