import { chains } from "@countersign/core/chains"
import { Swaps } from "@countersign/core/swap"
import { TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  ChainsResponse,
  chainBody,
  ProvidersResponse,
  providersBody,
  TokensQuery,
  TokensResponse,
  tokenBody
} from "../wire/index.ts"
import { answerOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const tokensQuery = queryOf(TokensQuery)
const chainsAnswer = answerOf(ChainsResponse)
const providersAnswer = answerOf(ProvidersResponse)
const tokensAnswer = answerOf(TokensResponse)

/** What can be named in requests. */
export const catalogOf = (run: Run) => ({
  chains: {
    /** Every chain that Countersign knows. As `GET /api/v1/crypto/chains`. */
    list: () =>
      run(Effect.flatMap(LinkBase, (base) => chainsAnswer({ chains: chains.map(({ id }) => chainBody(base, id)) })))
  },
  providers: {
    /** The providers of swaps, and how they do. As `GET /api/v1/crypto/providers`. */
    list: () =>
      run(
        Effect.flatMap(Swaps, ({ providers }) =>
          Effect.flatMap(providers, (all) => providersAnswer(providersBody(all)))
        )
      )
  },
  tokens: {
    /** The tokens of the chains that were opened, by text and chain. As `GET /api/v1/crypto/tokens`. */
    list: (query: QueryInput<typeof TokensQuery> = {}) =>
      run(
        Effect.gen(function* () {
          const { chains: chainIds = [], page, perPage, search = "" } = yield* tokensQuery(query)
          const found = yield* (yield* TokenCatalog).search({
            text: search,
            chainIds,
            offset: (page - 1) * perPage,
            limit: perPage
          })
          const base = yield* LinkBase
          const tokens = found.tokens.map((token) => tokenBody(base, token))
          return yield* tokensAnswer({ tokens, total: found.total, page, perPage })
        })
      )
  }
})
