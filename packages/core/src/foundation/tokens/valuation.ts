import { Option } from "effect"
import { type DecimalString, decimalFromBaseUnits, mulDivRoundingDown, mulDivRoundingUp } from "../primitives/index.ts"
import type { Token } from "./Token.ts"
import type { UsdPriceE18 } from "./TokenPrices.ts"

/** Number of decimals of values in US dollars. */
const USD_DECIMALS = 6

/** Returns the value of an amount in base units, in millionths of a US dollar, rounded down. */
export const usdE6RoundingDown = (units: bigint, decimals: number, priceE18: UsdPriceE18): bigint =>
  mulDivRoundingDown(units, priceE18, 10n ** BigInt(decimals + 18 - USD_DECIMALS))

/** Returns the value of an amount in base units, in US dollars with six decimals, rounded down. */
export const usdValueRoundingDown = (units: bigint, token: Token, priceE18: UsdPriceE18): DecimalString =>
  decimalFromBaseUnits(usdE6RoundingDown(units, token.decimals, priceE18), USD_DECIMALS)

/**
 * Returns the value of an amount in base units, in US dollars with six decimals, rounded down. Null if the price is
 * unknown.
 */
export const usdValueOrNull = (units: bigint, token: Token, priceE18: UsdPriceE18 | undefined): DecimalString | null =>
  priceE18 === undefined ? null : usdValueRoundingDown(units, token, priceE18)

/** Converts a price to a decimal string with as many decimals as necessary. */
export const decimalFromPrice = (priceE18: UsdPriceE18): DecimalString => decimalFromBaseUnits(priceE18, 18)

/**
 * Returns the base units of a token per 10^18 wei of the native token, which is the exchange rate of an ERC-20
 * paymaster. Rounded up in favour of the paymaster. `None` if the token's price is zero.
 */
export const tokenUnitsPerNativeTokenRoundingUp = (
  nativeTokenPriceE18: UsdPriceE18,
  tokenPriceE18: UsdPriceE18,
  token: Token
): Option.Option<bigint> =>
  tokenPriceE18 === 0n
    ? Option.none()
    : Option.some(mulDivRoundingUp(nativeTokenPriceE18, 10n ** BigInt(token.decimals), tokenPriceE18))
