import { Effect, Option } from "effect"
import { type ChainId, chainOf } from "../../foundation/chains/index.ts"
import { type Asset, currencyDigits, isToken, TokenCatalog, tokenKey } from "../../foundation/tokens/index.ts"

/** An asset as shown in a tax export. */
export interface TaxAsset {
  /** Equal for two movements of the same asset, different for different assets. */
  readonly key: string
  readonly asset: Asset
  /** Null for a fiat currency. */
  readonly chainId: ChainId | null
  /** The address of a token. Empty for a fiat currency. */
  readonly address: string
  /** The address if the token is no longer listed. */
  readonly symbol: string
  readonly chainName: string
  /** Null if the token is no longer listed. Its amounts are then in base units. */
  readonly decimals: number | null
}

/** An asset that is a token, not a fiat currency. */
export interface TaxToken extends TaxAsset {
  readonly chainId: ChainId
}

/** Returns the asset with its display names. */
export const taxAssetOf = Effect.fnUntraced(function* (asset: Asset) {
  if (!isToken(asset)) {
    const { currency } = asset
    const taxAsset: TaxAsset = {
      key: currency,
      asset,
      chainId: null,
      address: "",
      symbol: currency,
      chainName: "",
      decimals: currencyDigits(currency)
    }
    return taxAsset
  }
  const { chainId, token: address } = asset
  const token = Option.getOrNull(yield* (yield* TokenCatalog).find(chainId, address))
  const tokenAsset: TaxAsset = {
    key: tokenKey({ chainId, address }),
    asset,
    chainId,
    address,
    symbol: token?.symbol ?? address,
    chainName: chainOf(chainId).name,
    decimals: token?.decimals ?? null
  }
  return tokenAsset
})

export const assetKey = (asset: Asset): string =>
  isToken(asset) ? tokenKey({ chainId: asset.chainId, address: asset.token }) : asset.currency
