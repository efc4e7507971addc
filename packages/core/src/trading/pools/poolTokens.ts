import { Effect } from "effect"
import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from "../../foundation/chains/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import {
  requireListed,
  type Token,
  type TokenCatalog,
  type TokenPrices,
  tokenKey,
  valuesOf
} from "../../foundation/tokens/index.ts"
import type { PoolRef, PricedToken } from "./PoolRef.ts"

/** Returns the chain id. Fails if the chain does not have Uniswap V3. */
export const requireV3Chain = (chainId: ChainId, path: string): Effect.Effect<EvmChainId, BadRequest> =>
  isEvmChainId(chainId)
    ? Effect.succeed(chainId)
    : BadRequest.of(
        path,
        "unsupported_chain",
        `${chainOf(chainId).name} has no Uniswap V3 pool factory and position manager.`
      )

/** Returns the tokens of a pool. Fails for an unlisted token, because its contract can report any name and decimals. */
export const requireListedTokens = (
  catalog: TokenCatalog["Service"],
  { chainId, token0, token1 }: Pick<PoolRef, "chainId" | "token0" | "token1">
) =>
  Effect.map(
    requireListed(catalog, { token0: { chainId, address: token0 }, token1: { chainId, address: token1 } }),
    (tokens) => [tokens.token0, tokens.token1] as const
  )

/** Reads the prices of a pool's tokens. */
export const readPricedTokens = (
  prices: TokenPrices["Service"],
  tokens: readonly [Token, Token]
): Effect.Effect<readonly [PricedToken, PricedToken]> =>
  Effect.map(prices.findPrices(tokens), (tokenPrices) => {
    const values = valuesOf(tokenPrices)
    const sideOf = (token: Token): PricedToken => ({
      decimals: token.decimals,
      price: values.get(tokenKey(token)) ?? null
    })
    return [sideOf(tokens[0]), sideOf(tokens[1])] as const
  })
