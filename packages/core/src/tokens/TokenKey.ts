import { Schema } from "effect"
import { type ChainId, ChainId as ChainIdSchema } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"

/** A token by where it is: an address alone names another token on another chain. A `Token` is one too. */
export const TokenRef = Schema.Struct({ chainId: ChainIdSchema, address: Address })
export interface TokenRef {
  readonly chainId: ChainId
  readonly address: Address
}

/** Chain and address in one text, for maps. */
export type TokenKey = `${ChainId}:${string}`

export const tokenKey = ({ address, chainId }: TokenRef): TokenKey => `${chainId}:${address}`

/** The token under a key that `tokenKey` made. */
export const tokenOfKey = (key: TokenKey): TokenRef => {
  const [chainId, address = ""] = key.split(":")
  return { chainId: ChainIdSchema.make(Number(chainId) as ChainId), address: Address.make(address) }
}

/** A map by token. */
export type ByToken<A> = ReadonlyMap<TokenKey, A>
