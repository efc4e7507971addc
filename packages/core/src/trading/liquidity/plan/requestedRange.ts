import { Result } from "effect"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { type Ratio, ratioFromPercent } from "../../../foundation/primitives/index.ts"
import {
  type PriceConvention,
  priceAtTick,
  type TickRange,
  tickAtPriceRoundingDown,
  tickRangeAround,
  usableTickEnds
} from "../math/index.ts"

export interface RequestedPrices {
  readonly minPrice: number
  readonly maxPrice: number
}

/**
 * A price below every possible pool price, for the usual token decimals. It replaces a price of zero, which has no
 * inverse.
 */
const MIN_RATIO: Ratio = { numerator: 1n, denominator: 10n ** 120n }

/** Converts a price to the exact fraction of its decimal notation. */
const ratioOf = (price: number): Ratio => {
  if (price === 0) return MIN_RATIO
  const { denominator, numerator } = ratioFromPercent(price)
  return { numerator: numerator * 100n, denominator }
}

const isLess = (a: Ratio, b: Ratio): boolean => a.numerator * b.denominator < b.numerator * a.denominator

/** Returns the lowest and the highest display price at which a range can start or end. */
const priceLimitsOf = (convention: PriceConvention, tickSpacing: number): readonly [Ratio, Ratio] => {
  const [a, b] = usableTickEnds(tickSpacing).map((tick) => priceAtTick(tick, convention)) as [Ratio, Ratio]
  return isLess(a, b) ? [a, b] : [b, a]
}

/** Returns the problem with the prices of a range. Null if they are valid. `prefix` is prepended to the field names. */
export const priceProblem = ({ maxPrice, minPrice }: RequestedPrices, prefix = "") =>
  minPrice < maxPrice
    ? null
    : {
        path: `${prefix}maxPrice`,
        code: "empty_range",
        message: `Expected a price above minPrice, which is ${minPrice}. The position earns fees between minPrice and maxPrice.`
      }

/** Returns the ticks of a requested range. Rejects a range that contains no valid tick. */
export const requestedRange = (
  { maxPrice, minPrice }: RequestedPrices,
  convention: PriceConvention,
  tickSpacing: number,
  prefix = ""
): Result.Result<TickRange, BadRequest> => {
  const [lower, upper] = [ratioOf(minPrice), ratioOf(maxPrice)]
  const [lowest, highest] = priceLimitsOf(convention, tickSpacing)
  const isAbove = !isLess(lower, highest)
  if (isAbove || !isLess(lowest, upper)) {
    const path = isAbove ? `${prefix}minPrice` : `${prefix}maxPrice`
    const message = "The range contains no price that this pool can have."
    return Result.fail(BadRequest.of(path, "no_tick", message))
  }
  return Result.succeed(tickRangeAround(lower, upper, convention, tickSpacing))
}

/**
 * Returns whether the prices match a position's range to within one tick spacing, so that rounded display prices also
 * match.
 */
export const matchesRange = (
  { maxPrice, minPrice }: RequestedPrices,
  { tickLower, tickUpper }: TickRange,
  convention: PriceConvention,
  tickSpacing: number
): boolean => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  const clampTick = (tick: number) => Math.min(highest, Math.max(lowest, tick))
  const ticks = [minPrice, maxPrice].map((price) => clampTick(tickAtPriceRoundingDown(ratioOf(price), convention)))
  return (
    Math.abs(Math.min(...ticks) - tickLower) <= tickSpacing && Math.abs(Math.max(...ticks) - tickUpper) <= tickSpacing
  )
}
