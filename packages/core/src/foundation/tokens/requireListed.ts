import { Array, Effect } from "effect"
import { IndividualVerificationRequired, TokensNotAuthorized } from "./errors.ts"
import type { Token } from "./Token.ts"
import type { TokenCatalog } from "./TokenCatalog.ts"
import type { TokenRef } from "./TokenKey.ts"

/** Returns the listed tokens by request field. The error lists every field with an unlisted token. */
export const requireListed = Effect.fnUntraced(function* <Field extends string>(
  catalog: TokenCatalog["Service"],
  fields: Readonly<Record<Field, TokenRef>>
): Effect.fn.Return<Readonly<Record<Field, Token>>, TokensNotAuthorized> {
  const listedTokens = yield* Effect.forEach(Object.keys(fields) as globalThis.Array<Field>, (field) =>
    Effect.map(catalog.find(fields[field].chainId, fields[field].address), (token) => ({ field, token }))
  )
  const unlistedTokens = listedTokens.flatMap(({ field, token }) =>
    token._tag === "None" ? [{ field, ...fields[field] }] : []
  )
  if (Array.isArrayNonEmpty(unlistedTokens)) return yield* new TokensNotAuthorized({ tokens: unlistedTokens })
  const resolvedTokens = listedTokens.flatMap(({ field, token }) =>
    token._tag === "Some" ? [[field, token.value] as const] : []
  )
  return Object.fromEntries(resolvedTokens) as Record<Field, Token>
})

/** Rejects real-world assets, because their swaps require a verified individual. */
export const requireNoRealWorldAsset = (
  tokens: ReadonlyArray<Token>
): Effect.Effect<void, IndividualVerificationRequired> => {
  const asset = tokens.find((token) => token.realWorldAsset)
  return asset === undefined ? Effect.void : Effect.fail(new IndividualVerificationRequired({ symbol: asset.symbol }))
}
