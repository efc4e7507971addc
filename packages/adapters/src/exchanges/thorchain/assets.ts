import type { ChainId, EvmChainId } from "@countersign/core/foundation/chains"
import { isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"

/**
 * The EVM chains on which THORChain pays out: THORChain's name and native token of each (THORNode, common/chain.go).
 */
const chainNotations: Partial<Record<ChainId, { readonly chain: string; readonly nativeToken: string }>> = {
  1: { chain: "ETH", nativeToken: "ETH" },
  56: { chain: "BSC", nativeToken: "BNB" },
  43114: { chain: "AVAX", nativeToken: "AVAX" },
  8453: { chain: "BASE", nativeToken: "ETH" }
}

/** Returns THORChain's name of a chain; null if THORChain does not pay out on it. */
export const chainNameOrNull = (chainId: ChainId): string | null => chainNotations[chainId]?.chain ?? null

export const isPaidOutOn = (chainId: ChainId): chainId is EvmChainId =>
  chainId !== 0 && chainNotations[chainId] !== undefined

/**
 * Finds the pool asset of a token; null if there is not exactly one. THORChain's assets contain addresses in upper
 * case.
 */
export const assetOrNull = ({ address, chainId }: Token, pools: ReadonlyArray<string>): string | null => {
  const notation = chainNotations[chainId]
  if (notation === undefined) return null
  const { chain, nativeToken } = notation
  const matchingAssets = isNativeToken(address)
    ? pools.filter((asset) => asset === `${chain}.${nativeToken}`)
    : pools.filter((asset) => asset.startsWith(`${chain}.`) && asset.endsWith(`-${address.toUpperCase()}`))
  return matchingAssets.length === 1 ? matchingAssets[0]! : null
}

/** Minimum length of an address suffix that identifies a token in a memo. It makes a collision unlikely. */
const MIN_SUFFIX = 5

/**
 * Shortens an asset for a memo of limited length, keeping as much of the address as possible. Null if the result would
 * be too short or ambiguous.
 */
export const shortAssetOrNull = (asset: string, pools: ReadonlyArray<string>, bytes: number): string | null => {
  if (asset.length <= bytes) return asset
  const [symbol = "", address] = asset.split("-")
  if (address === undefined) return null
  const suffixBytes = bytes - symbol.length - 1
  if (suffixBytes < MIN_SUFFIX) return null
  const suffix = address.slice(-suffixBytes)
  const matchesAsset = (other: string) => other.startsWith(`${symbol}-`) && other.endsWith(suffix)
  return pools.filter(matchesAsset).length === 1 ? `${symbol}-${suffix}` : null
}

/** THORChain counts every asset in units of 10^-8. */
const E8_DECIMALS = 8

/**
 * Converts THORChain's units to base units of the token. Rounded down, so that the quoted amount is not higher than the
 * received one.
 */
export const baseUnitsRoundingDown = (e8: bigint, decimals: number): bigint =>
  decimals >= E8_DECIMALS ? e8 * 10n ** BigInt(decimals - E8_DECIMALS) : e8 / 10n ** BigInt(E8_DECIMALS - decimals)

export const baseUnitsRoundingUp = (e8: bigint, decimals: number): bigint =>
  decimals >= E8_DECIMALS
    ? e8 * 10n ** BigInt(decimals - E8_DECIMALS)
    : (e8 + 10n ** BigInt(E8_DECIMALS - decimals) - 1n) / 10n ** BigInt(E8_DECIMALS - decimals)

/**
 * Converts a minimum amount to THORChain's units. Rounded up, so that THORChain enforces at least the promised minimum.
 */
export const e8RoundingUp = (amount: bigint, decimals: number): bigint => {
  if (decimals <= E8_DECIMALS) return amount * 10n ** BigInt(E8_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - E8_DECIMALS)
  return (amount + unit - 1n) / unit
}
