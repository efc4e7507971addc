import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { type ChainId, chains, type EvmChainId, ServedChains } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { type Token, TokenCatalog } from "@countersign/core/foundation/tokens"
import { Effect, Layer, Option } from "effect"
import { deploymentOf, type ListedToken } from "../../chains/deployments/index.ts"

const tokenOf = ({ address, chainId, decimals, name, symbol, tags }: ListedToken): Token => ({
  chainId,
  address,
  name,
  symbol,
  decimals,
  realWorldAsset: tags.includes("rwa")
})

const nativeTokenOf = (chainId: EvmChainId): Token => {
  const { decimals, name, symbol } = deploymentOf(chainId).nativeCurrency
  return { chainId, address: NATIVE_TOKEN, name, symbol, decimals, realWorldAsset: false }
}

/**
 * Provides the tokens of the committed list, by chain, with the native token first. `isListed` restricts the list for a
 * sandbox that has not deployed all tokens. A search finds only tokens of served chains. Tokens of other chains can be
 * found by address, because the history may contain them.
 */
export const layer = (isListed: (token: ListedToken) => boolean = () => true): Layer.Layer<TokenCatalog> =>
  Layer.effect(
    TokenCatalog,
    Effect.map(ServedChains, (servedChains) => {
      const tokens = chains.flatMap(({ id }) => {
        if (id === 0) return [bitcoinToken]
        const tokensOfChain = deploymentOf(id)
          .tokens.filter(isListed)
          .map(tokenOf)
          .sort((a, b) => a.symbol.localeCompare(b.symbol, "en"))
        return [nativeTokenOf(id), ...tokensOfChain]
      })
      const key = (chainId: ChainId, address: Address) => `${chainId}:${address}`
      const tokenByAddress = new Map(tokens.map((token) => [key(token.chainId, token.address), token]))
      return TokenCatalog.of({
        find: (chainId, address) => Effect.succeed(Option.fromNullishOr(tokenByAddress.get(key(chainId, address)))),
        search: ({ chainIds, limit, offset, text }) =>
          Effect.sync(() => {
            const searchText = text.trim().toLowerCase()
            const servedIds = servedChains.ids()
            const matches = tokens.filter(
              (token) =>
                servedIds.includes(token.chainId) &&
                (chainIds.length === 0 || chainIds.includes(token.chainId)) &&
                (searchText === "" ||
                  token.address === searchText ||
                  token.symbol.toLowerCase().includes(searchText) ||
                  token.name.toLowerCase().includes(searchText))
            )
            return { tokens: matches.slice(offset, offset + limit), total: matches.length }
          })
      })
    })
  )
