import { mulDivRoundingDown, mulDivRoundingUp } from "../../../foundation/primitives/index.ts"
import { type ByToken, type Token, tokenKey, type UsdPriceE18 } from "../../../foundation/tokens/index.ts"
import type { Offer, RoutePart } from "../provider/Offer.ts"

/** The fields of an offer that determine its price. */
type PricedOffer = Pick<Offer, "amountOut" | "priceImpactE18" | "route" | "tokenIn" | "tokenOut">

const ONE_E18 = 10n ** 18n
const MILLION = 1_000_000n

/**
 * Returns a part's amount after its pool fees, in base units of the input token. Rounded up, so that the impact is not
 * too low.
 */
const afterPoolFeesRoundingUp = ({ amountIn, hops }: RoutePart): bigint =>
  hops.reduce((amount, { feePips }) => mulDivRoundingUp(amount, MILLION - BigInt(feePips ?? 0), MILLION), amountIn)

/** Returns the value in US dollars, scaled by 10^18. Null if there is no price. */
const valueRoundingDown = (amount: bigint, token: Token, prices: ByToken<UsdPriceE18>): bigint | null => {
  const price = prices.get(tokenKey(token))
  return price === undefined ? null : mulDivRoundingDown(amount, price, 10n ** BigInt(token.decimals))
}

/** Returns the price impact relative to US dollar prices, which may be a few seconds older or newer than the offer. */
const impactByPricesE18 = (
  { amountOut, route, tokenIn, tokenOut }: PricedOffer,
  prices: ByToken<UsdPriceE18>
): bigint | null => {
  if (route.length === 0 || tokenIn.chainId !== tokenOut.chainId) return null
  const tradedAmount = route.reduce((sum, part) => sum + afterPoolFeesRoundingUp(part), 0n)
  const inputValue = valueRoundingDown(tradedAmount, tokenIn, prices)
  const valueOut = valueRoundingDown(amountOut, tokenOut, prices)
  return inputValue === null || valueOut === null || inputValue === 0n
    ? null
    : ONE_E18 - mulDivRoundingDown(valueOut, ONE_E18, inputValue)
}

/**
 * Returns the price impact of an offer relative to its pools' prices before the swap, without fees, as a fraction
 * scaled by 10^18. Negative if the offer is better than these prices. Null if neither the provider nor the US dollar
 * prices determine it.
 */
export const priceImpactE18 = (offer: PricedOffer, prices: ByToken<UsdPriceE18>): bigint | null =>
  offer.priceImpactE18 ?? impactByPricesE18(offer, prices)
