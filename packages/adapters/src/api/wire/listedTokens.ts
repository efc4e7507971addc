import { type TokenCatalog, type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { Effect, Option } from "effect"
import type { FindToken } from "./amounts.ts"

/** Finds tokens in the catalog. Looks up each token only once. */
export const listedTokenFinder = Effect.fnUntraced(function* (
  catalog: TokenCatalog["Service"],
  tokens: ReadonlyArray<TokenRef>
): Effect.fn.Return<FindToken> {
  const tokensByKey = new Map(tokens.map((token) => [tokenKey(token), token]))
  const listedByKey = new Map(
    yield* Effect.forEach(tokensByKey, ([key, { address, chainId }]) =>
      Effect.map(catalog.find(chainId, address), (token) => [key, Option.getOrNull(token)] as const)
    )
  )
  return (chainId, address) => listedByKey.get(tokenKey({ chainId, address })) ?? null
})
