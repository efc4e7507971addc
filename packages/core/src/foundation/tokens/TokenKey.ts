import type { ChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"

/**
 * A token, identified by chain and address, because the same address may belong to different tokens on different
 * chains. A `Token` is also a `TokenRef`.
 */
export interface TokenRef {
  readonly chainId: ChainId
  readonly address: Address
}

/** A chain and an address as one text, for map keys. */
export type TokenKey = `${ChainId}:${string}`

export const tokenKey = ({ address, chainId }: TokenRef): TokenKey => `${chainId}:${address}`

/** A map whose keys are `tokenKey(token)`. */
export type ByToken<A> = ReadonlyMap<TokenKey, A>
