import { Result } from "effect"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { maxBigInt, type Ratio } from "../../../foundation/primitives/index.ts"
import {
  type ByToken,
  type Token,
  type TokenPrice,
  tokenKey,
  type UsdPriceE18
} from "../../../foundation/tokens/index.ts"
import { rateRoundingDown } from "../../swap/index.ts"
import { type PriceConvention, sqrtPriceX96AtTick, sqrtPriceX96Of, type TickRange } from "../math/index.ts"

/**
 * Two tokens in display order. Prices are in units of the second token per unit of the first (token units, not base
 * units).
 */
export interface DisplayPair {
  readonly token0: Token
  readonly token1: Token
  /** Whether the first token is the pool's token0. */
  readonly isInOrder: boolean
}

export const conventionOf = ({ isInOrder, token0, token1 }: DisplayPair): PriceConvention => ({
  baseDecimals: token0.decimals,
  quoteDecimals: token1.decimals,
  baseIsToken0: isInOrder
})

/** Formats a display price with 18 significant digits. */
export const priceText = ({ denominator, numerator }: Ratio): string | null =>
  rateRoundingDown({ token: { decimals: 0 }, amount: denominator }, { token: { decimals: 0 }, amount: numerator })

const ONE_E18 = 10n ** 18n

/** Returns the difference between two prices as a fraction of the lower one, scaled by 10^18. Rounded up. */
const distanceE18RoundingUp = (a: Ratio, b: Ratio): bigint => {
  const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator]
  const [smaller, larger] = x < y ? [x, y] : [y, x]
  return smaller === 0n ? ONE_E18 : ((larger - smaller) * ONE_E18 + smaller - 1n) / smaller
}

/**
 * Returns the largest deviation of the pool prices from the market price, as a fraction scaled by 10^18. Null if the
 * market price is unknown.
 */
export const marketDistanceE18 = (
  sqrtPricesX96: ReadonlyArray<bigint>,
  pair: DisplayPair,
  prices: ByToken<UsdPriceE18>
): bigint | null => {
  const [usd0, usd1] = [prices.get(tokenKey(pair.token0)), prices.get(tokenKey(pair.token1))]
  if (usd0 === undefined || usd1 === undefined || usd0 === 0n || usd1 === 0n) return null
  const marketSqrtPrice = sqrtPriceX96Of({ numerator: usd0, denominator: usd1 }, conventionOf(pair))
  const square = (root: bigint): Ratio => ({ numerator: root * root, denominator: 1n << 192n })
  return sqrtPricesX96
    .map((root) => distanceE18RoundingUp(square(root), square(marketSqrtPrice)))
    .reduce((maxDistance, distance) => maxBigInt(maxDistance, distance), 0n)
}

const refuse = (path: string, code: string, message: string) => Result.fail(BadRequest.of(path, code, message))

/**
 * Returns the initial price of a new pool as a Q64.96 square root. It is the market price, from price sources that a
 * single trade can't move. The caller can't choose it: with a wrong price, the first trader would gain the difference
 * at the expense of the first position. Fails if no such price is known, or if the range does not contain it.
 */
export const initialSqrtPriceOf = (
  pair: DisplayPair,
  prices: ByToken<TokenPrice>,
  range: TickRange
): Result.Result<bigint, BadRequest> => {
  const { token0, token1 } = pair
  const pairPrices = [token0, token1].map((token) => prices.get(tokenKey(token)))
  const unpricedToken = [token0, token1].find((_, i) => pairPrices[i] === undefined || pairPrices[i]!.source === "NOW")
  const [price0, price1] = pairPrices
  if (unpricedToken !== undefined || price0 === undefined || price1 === undefined) {
    return refuse(
      "poolFeePercent",
      "no_start_price",
      `This pool does not exist yet, and the service can't create it: the price of ${(unpricedToken ?? token0).symbol} is unknown, or a single trade can move it.`
    )
  }
  const price: Ratio = { numerator: price0.usd, denominator: price1.usd }
  const root = sqrtPriceX96Of(price, conventionOf(pair))
  const isInside = sqrtPriceX96AtTick(range.tickLower) <= root && root < sqrtPriceX96AtTick(range.tickUpper)
  return isInside
    ? Result.succeed(root)
    : refuse(
        "minPrice",
        "price_outside",
        `This pool does not exist yet. It would start at ${priceText(price)} ${token1.symbol} for one ${token0.symbol}, and this range does not contain that price.`
      )
}
