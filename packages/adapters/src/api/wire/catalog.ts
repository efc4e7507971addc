import { withDescription } from "@countersign/core/foundation/primitives"
import type { ProviderReport } from "@countersign/core/trading/swap"
import { Schema } from "effect"
import { text } from "./fields.ts"
import { ChainBody, TokenBody } from "./resources.ts"
import { chainIdsText, intText } from "./scalars.ts"

export const TokensQuery = {
  search: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(100)).pipe(
      withDescription("A substring of a symbol or name, or a complete address")
    )
  ),
  chains: Schema.optionalKey(chainIdsText("Only tokens of these chains, by their ids")),
  page: intText({ minimum: 1, maximum: 1_000_000, default: 1 }, "Page number, from 1"),
  perPage: intText({ minimum: 1, maximum: 100, default: 100 }, "Number of tokens on a page")
}

export const ChainsResponse = Schema.Struct({
  chains: Schema.Array(ChainBody).annotate({ description: "Every supported chain" })
}).annotate({ identifier: "Chains", description: "The supported chains" })

export const TokensResponse = Schema.Struct({
  tokens: Schema.Array(TokenBody).annotate({ description: "Tokens of this page" }),
  total: Schema.Int.annotate({ description: "Number of matching tokens on all pages" }),
  page: Schema.Int.annotate({ description: "Number of this page" }),
  perPage: Schema.Int.annotate({ description: "Number of tokens on a page" })
}).annotate({ identifier: "Tokens", description: "A page of the supported tokens" })

const requestCountField = (description: string) => Schema.Int.annotate({ description })
const millisecondsField = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

const ProviderBody = Schema.Struct({
  provider: text("Provider id: the value of `swapProvider` in quotes"),
  name: text("Name of the provider"),
  asked: requestCountField("Number of recent requests that these figures cover, at most 100"),
  offered: requestCountField("Number of these requests that returned an offer"),
  refused: requestCountField("Number of these requests that the provider declined with a reason"),
  failed: requestCountField("Number of these requests that failed or timed out"),
  abandoned: requestCountField("Number of these requests that were cancelled because another quote arrived first"),
  medianMs: millisecondsField("Median response time, in milliseconds; null before the first request"),
  p95Ms: millisecondsField("95th percentile of the response time, in milliseconds; null before the first request")
}).annotate({ identifier: "Provider", description: "A swap provider, with this process's recent measurements" })

export const ProvidersResponse = Schema.Struct({
  providers: Schema.Array(ProviderBody).annotate({
    description: "Providers. If quotes are equal, the service prefers the provider that is first in this list"
  })
}).annotate({ identifier: "Providers", description: "The swap providers" })

export const providersBody = (providers: ReadonlyArray<ProviderReport>): typeof ProvidersResponse.Type => ({
  providers: providers.map(({ health: { provider, requestCount, ...health }, name }) => ({
    provider,
    asked: requestCount,
    ...health,
    name
  }))
})
