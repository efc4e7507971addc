import type { ChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"

/** A token by where it is: an address alone names another token on another chain. A `Token` is one too. */
export interface TokenRef {
  readonly chainId: ChainId
  readonly address: Address
}

/** Chain and address in one text, for maps. */
export type TokenKey = `${ChainId}:${string}`

export const tokenKey = ({ address, chainId }: TokenRef): TokenKey => `${chainId}:${address}`

/** A map by token. */
export type ByToken<A> = ReadonlyMap<TokenKey, A>
