import { chains, ServedChains } from "@countersign/core/foundation/chains"
import { TokenCatalog } from "@countersign/core/foundation/tokens"
import { Swaps } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import {
  ChainsResponse,
  chainBody,
  LinkBase,
  ProvidersResponse,
  providersBody,
  TokensQuery,
  TokensResponse,
  tokenBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

const listChains = endpoint({
  id: "catalog.chains",
  method: "GET",
  path: "/api/v1/crypto/chains",
  summary: "List the supported chains",
  description: "Returns the chains that the operator has configured. Requests for other chains are rejected.",
  success: ChainsResponse,
  responses: "chains",
  errors: [],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* () {
    const base = yield* LinkBase
    const servedIds = (yield* ServedChains).ids()
    return { chains: chains.filter(({ id }) => servedIds.includes(id)).map(({ id }) => chainBody(base, id)) }
  })
})

const providers = endpoint({
  id: "catalog.providers",
  method: "GET",
  path: "/api/v1/crypto/providers",
  summary: "List the swap providers and their performance",
  description:
    "Returns measurements of the latest requests that this process sent to each provider. The service sends a request a second time if the response takes longer than usual.",
  success: ProvidersResponse,
  responses: "providers",
  errors: [],
  scope: "read",
  cost: "read",
  run: () =>
    Effect.map(
      Swaps.use(({ providers }) => providers),
      providersBody
    )
})

const tokens = endpoint({
  id: "catalog.tokens",
  method: "GET",
  path: "/api/v1/crypto/tokens",
  summary: "List the supported tokens, by text and chain",
  description: "Returns one page. Only listed tokens can be swapped, sent and used for gas.",
  query: TokensQuery,
  success: TokensResponse,
  errors: [],
  scope: "read",
  cost: "read",
  example: { parameters: { search: "USDC", chains: [1, 8453], perPage: 20 } },
  run: Effect.fnUntraced(function* ({ query: { chains: chainIds = [], page, perPage, search = "" } }) {
    const { tokens, total } = yield* (yield* TokenCatalog).search({
      text: search,
      chainIds,
      offset: (page - 1) * perPage,
      limit: perPage
    })
    const base = yield* LinkBase
    return { tokens: tokens.map((token) => tokenBody(base, token)), total, page, perPage }
  })
})

export const catalog = { chains: listChains, providers, tokens }
