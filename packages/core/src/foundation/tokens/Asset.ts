import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"

/** A currency code: three capital letters (ISO 4217). */
export const CurrencyCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/u, { message: "Expected the code of a currency, such as USD" })
)

export const tokenAsset = { chainId: ChainId, token: Address }
export const currencyAsset = { currency: CurrencyCode }

/** A token on a chain, or a fiat currency. */
export const Asset = Schema.Union([Schema.Struct(tokenAsset), Schema.Struct(currencyAsset)])
export type Asset = typeof Asset.Type

/** Returns whether the asset is a token and not a currency. */
export const isToken = <A extends Asset>(asset: A): asset is Extract<A, { readonly token: Address }> => "token" in asset

export const isSameAsset = (a: Asset, b: Asset): boolean =>
  isToken(a) ? isToken(b) && a.chainId === b.chainId && a.token === b.token : !isToken(b) && a.currency === b.currency

/** Returns the number of decimals of a currency, such as 2 for BRL and 0 for JPY. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
