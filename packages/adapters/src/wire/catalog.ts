import { Effect, Schema } from "effect"
import { ChainBody, TokenBody } from "./resources.ts"
import { ChainIdText, commaSeparated, intText } from "./scalars.ts"

export const TokensQuery = {
  search: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))),
  chains: Schema.optionalKey(commaSeparated(ChainIdText)),
  page: intText(1, 1_000_000).pipe(Schema.withDecodingDefaultKey(Effect.succeed("1"))),
  perPage: intText(1, 100).pipe(Schema.withDecodingDefaultKey(Effect.succeed("100")))
}

export const ChainsResponse = Schema.Struct({ chains: Schema.Array(ChainBody) })

export const TokensResponse = Schema.Struct({
  tokens: Schema.Array(TokenBody),
  total: Schema.Int,
  page: Schema.Int,
  perPage: Schema.Int
})
