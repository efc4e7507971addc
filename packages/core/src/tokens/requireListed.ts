import { Effect, Option } from "effect"
import type { ChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"
import { TokensNotAuthorized } from "./errors.ts"
import type { Token } from "./Token.ts"
import type { TokenCatalog } from "./TokenCatalog.ts"

/** A request's field that names a token. */
export interface TokenField {
  readonly field: string
  readonly chainId: ChainId
  readonly address: Address
}

/** The listed token of each field, in the order of the fields, or all fields whose token is not listed. */
export const requireListed = Effect.fnUntraced(function* (
  catalog: TokenCatalog["Service"],
  fields: ReadonlyArray<TokenField>
): Effect.fn.Return<ReadonlyArray<Token>, TokensNotAuthorized> {
  const tokens = yield* Effect.forEach(fields, ({ address, chainId }) => catalog.find(chainId, address))
  const [first, ...others] = fields.filter((_, i) => Option.isNone(tokens[i]!))
  if (first !== undefined) return yield* new TokensNotAuthorized({ tokens: [first, ...others] })
  return tokens.map(Option.getOrThrow)
})
