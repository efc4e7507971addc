import { greater, lesser } from "../../../foundation/primitives/index.ts"
import {
  liquidityByToken,
  liquidityForAmountsRoundingDown,
  type PriceRange,
  type TokenAmounts
} from "./liquidityAmounts.ts"

/** An amount once it is divided and swapped: both tokens, and the price that the swaps leave in the pool. */
export interface Division {
  readonly amounts: TokenAmounts
  /** Q64.96 root. */
  readonly sqrtPriceX96: bigint
}

/** A division that can't be made: which of the two parts its pools do not take. */
export interface TooMuch {
  readonly tooMuchFor: 0 | 1
}

export interface BestDivision<D extends Division> {
  /** Base units of the divided amount that become token1; the others become or stay token0. */
  readonly forToken1: bigint
  readonly division: D
  readonly liquidity: bigint
}

const isTooMuch = (division: Division | TooMuch): division is TooMuch => "tooMuchFor" in division

/** How far from the crossing rounding can move the best division. */
const NEIGHBOURS = 2n

/**
 * Divides an amount between the two tokens of a position so that it gives the most liquidity. The liquidity that token1
 * pays for grows with its part, that of token0 falls, so that the best division is where they cross: found by bisection, and
 * then among its neighbours, because every step rounds. `divide` swaps a part as the pools will. Null where no division
 * can be made.
 */
export const bestDivision = <D extends Division>(
  amount: bigint,
  range: PriceRange,
  divide: (forToken1: bigint) => D | TooMuch
): BestDivision<D> | null => {
  const isEnoughForToken1 = (forToken1: bigint): boolean => {
    const division = divide(forToken1)
    if (isTooMuch(division)) return division.tooMuchFor === 1
    const { byToken0, byToken1 } = liquidityByToken(division.sqrtPriceX96, range, division.amounts)
    if (byToken0 === null) return false
    return byToken1 === null || byToken1 >= byToken0
  }
  let low = 0n
  let high = amount
  while (low < high) {
    const middle = (low + high) / 2n
    if (isEnoughForToken1(middle)) high = middle
    else low = middle + 1n
  }
  let best: BestDivision<D> | null = null
  for (let forToken1 = greater(0n, low - NEIGHBOURS); forToken1 <= lesser(amount, low + NEIGHBOURS); forToken1 += 1n) {
    const division = divide(forToken1)
    if (isTooMuch(division)) continue
    const liquidity = liquidityForAmountsRoundingDown(division.sqrtPriceX96, range, division.amounts)
    if (best === null || liquidity > best.liquidity) best = { forToken1, division, liquidity }
  }
  return best
}
