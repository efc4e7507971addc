import { type Token, type UsdPriceE18, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { ValuedMovement } from "./profit.ts"

export interface ChartPoint {
  readonly atMs: number
  /** Millionths of a US dollar. Null if there are tokens, but none has a price at every time at which it was held. */
  readonly valueE6: bigint | null
}

/** A token with the account's current balance and its movements, oldest first. */
export interface ChartedToken {
  readonly token: Token
  readonly units: bigint
  readonly movements: ReadonlyArray<ValuedMovement>
}

/**
 * Returns the balance at each time: the current balance minus later inflows plus later outflows, at least zero. An
 * amount that arrived without a recorded movement counts as held since the start.
 */
export const unitsAt = ({ movements, units }: ChartedToken, times: ReadonlyArray<number>): ReadonlyArray<bigint> =>
  times.map((atMs) => {
    const unitsBefore = movements
      .filter((movement) => movement.atMs > atMs)
      .reduce((sum, { amount, direction }) => (direction === "IN" ? sum - amount : sum + amount), units)
    return unitsBefore < 0n ? 0n : unitsBefore
  })

/** Returns the value of a token at each time. Null if a price is missing at a time with a balance. */
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
