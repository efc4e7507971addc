export { Asset, CurrencyCode, currencyAsset, currencyDigits, isSameAsset, isToken, tokenAsset } from "./Asset.ts"
export { IndividualVerificationRequired, TokensNotAuthorized } from "./errors.ts"
export {
  constantRates,
  type FiatCode,
  FiatRates,
  type FiatRatesE18,
  type FiatValueMap,
  fiatCodes
} from "./FiatRates.ts"
export { type QuotedPrices, quotedPrices } from "./quotedPrices.ts"
export { requireListed, requireNoRealWorldAsset } from "./requireListed.ts"
export { Token } from "./Token.ts"
export { TokenCatalog, type TokenSearch } from "./TokenCatalog.ts"
export { type ByToken, type TokenKey, type TokenRef, tokenKey } from "./TokenKey.ts"
export {
  type PriceSource,
  pricesOf,
  reportedPrice,
  StoredPrices,
  storedPrices,
  type TokenPrice,
  TokenPrices,
  type UsdPriceE18,
  valuesOf
} from "./TokenPrices.ts"
export {
  decimalFromPrice,
  tokenUnitsPerNativeTokenRoundingUp,
  usdE6RoundingDown,
  usdValueOrNull,
  usdValueRoundingDown
} from "./valuation.ts"
