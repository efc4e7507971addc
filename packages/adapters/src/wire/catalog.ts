import { described } from "@countersign/core/primitives"
import { Schema } from "effect"
import { ChainBody, TokenBody } from "./resources.ts"
import { chainIdsText, intText } from "./scalars.ts"

export const TokensQuery = {
  search: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(100)).pipe(described("Part of a symbol or name, or a whole address"))
  ),
  chains: Schema.optionalKey(chainIdsText("Only tokens of these chains, by their ids")),
  page: intText({ minimum: 1, maximum: 1_000_000, default: 1 }, "Which page to show; the first is 1"),
  perPage: intText({ minimum: 1, maximum: 100, default: 100 }, "Tokens on a page")
}

export const ChainsResponse = Schema.Struct({
  chains: Schema.Array(ChainBody).annotate({ description: "Every supported chain" })
}).annotate({ identifier: "Chains", description: "The supported chains" })

export const TokensResponse = Schema.Struct({
  tokens: Schema.Array(TokenBody).annotate({ description: "Tokens of this page" }),
  total: Schema.Int.annotate({ description: "Tokens that match, on all pages" }),
  page: Schema.Int.annotate({ description: "Number of this page" }),
  perPage: Schema.Int.annotate({ description: "Tokens on a page" })
}).annotate({ identifier: "Tokens", description: "A page of the supported tokens" })
