import { Context, type Effect, type Option } from "effect"
import type { ChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"
import type { Token } from "./Token.ts"

export interface TokenSearch {
  /** Part of a name or symbol, or a full address. Empty for all tokens. */
  readonly text: string
  /** Empty for all chains. */
  readonly chainIds: ReadonlyArray<ChainId>
  readonly offset: number
  readonly limit: number
}

/** The listed tokens. Unlisted tokens cannot be swapped, sent or charged as a fee. */
export class TokenCatalog extends Context.Service<
  TokenCatalog,
  {
    readonly find: (chainId: ChainId, address: Address) => Effect.Effect<Option.Option<Token>>
    /**
     * Returns matching tokens of the served chains, in the order of the chain catalog. On each chain, the native token
     * is first, and the others are sorted by symbol. `total` counts all matches.
     */
    readonly search: (
      search: TokenSearch
    ) => Effect.Effect<{ readonly tokens: ReadonlyArray<Token>; readonly total: number }>
  }
>()("@countersign/core/tokens/TokenCatalog") {}
