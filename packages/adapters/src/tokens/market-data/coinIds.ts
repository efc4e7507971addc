import { type ChainId, chains, type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { type TokenKey, type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { deploymentOf } from "../../chains/deployments/index.ts"

const idsOf = (chainId: ChainId): ReadonlyArray<readonly [TokenKey, string]> => {
  const entry = (address: Address, id: string | undefined) =>
    id === undefined ? [] : [[tokenKey({ chainId, address }), id] as const]
  if (!isEvmChainId(chainId)) return entry(NATIVE_TOKEN, "bitcoin")
  const { nativeCurrency, tokens } = deploymentOf(chainId)
  return [
    ...entry(NATIVE_TOKEN, nativeCurrency.coingeckoId),
    ...tokens.flatMap(({ address, coingeckoId }) => entry(address, coingeckoId))
  ]
}

const ids = new Map(chains.flatMap(({ id }) => idsOf(id)))

/** Returns CoinGecko's id of a listed token; null if the token list contains none. */
export const coinGeckoIdOrNull = (token: TokenRef): string | null => ids.get(tokenKey(token)) ?? null

export const coinGeckoPlatforms: Readonly<Record<EvmChainId, string>> = {
  1: "ethereum",
  10: "optimistic-ethereum",
  56: "binance-smart-chain",
  100: "xdai",
  137: "polygon-pos",
  196: "x-layer",
  8453: "base",
  42161: "arbitrum-one",
  43114: "avalanche"
}

/** How CoinGecko identifies a token: by its id, otherwise by its contract. */
export type CoinGeckoToken =
  | { readonly _tag: "Id"; readonly id: string }
  | { readonly _tag: "Contract"; readonly platform: string; readonly address: Address }

export const coinGeckoTokenOrNull = (token: TokenRef): CoinGeckoToken | null => {
  const id = coinGeckoIdOrNull(token)
  if (id !== null) return { _tag: "Id", id }
  return isNativeToken(token.address) || !isEvmChainId(token.chainId)
    ? null
    : { _tag: "Contract", platform: coinGeckoPlatforms[token.chainId], address: token.address }
}
