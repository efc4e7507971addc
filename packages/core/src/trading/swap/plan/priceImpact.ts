import { mulDivRoundingDown, mulDivRoundingUp } from "../../../foundation/primitives/index.ts"
import { type ByToken, type Token, tokenKey, type UsdPriceE18 } from "../../../foundation/tokens/index.ts"
import type { Offer, RoutePart } from "../provider/Offer.ts"

/** The fields of an offer that tell its price. */
type PricedOffer = Pick<Offer, "amountOut" | "priceImpactE18" | "route" | "tokenIn" | "tokenOut">

const ONE_E18 = 10n ** 18n
const MILLION = 1_000_000n

/**
 * A part's amount after the fees of its pools, in base units of the token that is given. Rounded up: the impact is
 * rather shown too large.
 */
const afterPoolFeesRoundingUp = ({ amountIn, hops }: RoutePart): bigint =>
  hops.reduce((amount, { feePips }) => mulDivRoundingUp(amount, MILLION - BigInt(feePips ?? 0), MILLION), amountIn)

/** Dollars scaled by 10^18; null without a price. */
const valueRoundingDown = (amount: bigint, token: Token, prices: ByToken<UsdPriceE18>): bigint | null => {
  const price = prices.get(tokenKey(token))
  return price === undefined ? null : mulDivRoundingDown(amount, price, 10n ** BigInt(token.decimals))
}

/** By the prices in dollars that were known when it was quoted, which may be some seconds older than the offer. */
const impactByPricesE18 = (
  { amountOut, route, tokenIn, tokenOut }: PricedOffer,
  prices: ByToken<UsdPriceE18>
): bigint | null => {
  if (route.length === 0 || tokenIn.chainId !== tokenOut.chainId) return null
  const traded = route.reduce((sum, part) => sum + afterPoolFeesRoundingUp(part), 0n)
  const given = valueRoundingDown(traded, tokenIn, prices)
  const got = valueRoundingDown(amountOut, tokenOut, prices)
  return given === null || got === null || given === 0n ? null : ONE_E18 - mulDivRoundingDown(got, ONE_E18, given)
}

/**
 * By how much the price of an offer is worse than that of its pools before it, fees apart: a share scaled by 10^18, below
 * zero where it is better. Null where neither the provider nor prices tell.
 */
export const priceImpactE18 = (offer: PricedOffer, prices: ByToken<UsdPriceE18>): bigint | null =>
  offer.priceImpactE18 ?? impactByPricesE18(offer, prices)
