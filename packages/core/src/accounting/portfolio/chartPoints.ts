import { type Token, type UsdPriceE18, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { ValuedMovement } from "./profit.ts"

export interface ChartPoint {
  readonly atMs: number
  /** Millionths of a US dollar; null if no token has prices at all chart times. */
  readonly valueE6: bigint | null
}

/** A token with an account's current balance and its movements, oldest first. */
export interface ChartedToken {
  readonly token: Token
  readonly units: bigint
  readonly movements: ReadonlyArray<ValuedMovement>
}

/**
 * The balance at each time: the current balance minus later inflows plus later outflows. Not below zero: an amount that
 * came in without a recorded movement counts as held from the beginning.
 */
export const unitsAt = ({ movements, units }: ChartedToken, times: ReadonlyArray<number>): ReadonlyArray<bigint> =>
  times.map((atMs) => {
    const movementsBefore = movements
      .filter((movement) => movement.atMs > atMs)
      .reduce((sum, { amount, direction }) => (direction === "IN" ? sum - amount : sum + amount), units)
    return movementsBefore < 0n ? 0n : movementsBefore
  })

/** The value of a token at each time; null if a price is missing at a time with a balance. */
export const valuesAt = (
  { decimals }: Token,
  units: ReadonlyArray<bigint>,
  prices: ReadonlyArray<UsdPriceE18 | null>
): ReadonlyArray<bigint> | null => {
  const values = units.map((amount, i) => {
    const price = prices[i] ?? null
    return amount === 0n ? 0n : price === null ? null : usdE6RoundingDown(amount, decimals, price)
  })
  return values.every((value) => value !== null) ? values : null
}
