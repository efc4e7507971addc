import { chainBody, providersBody, tokenBody } from "@countersign/adapters/wire"
import { chains } from "@countersign/core/chains"
import { Swaps } from "@countersign/core/swap"
import { TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfQuery, toErrorBody } from "../errors/index.ts"
import { baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const CatalogHandlers = HttpApiBuilder.group(
  Api,
  "catalog",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const catalog = yield* TokenCatalog
    const swaps = yield* Swaps
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      chains: Effect.fnUntraced(function* () {
        yield* chargeCaller(gates, "read", costs.read)
        const base = yield* baseUrl
        return { chains: chains.map(({ id }) => chainBody(base, id)) }
      }, Effect.mapError(toErrorBody)),
      providers: Effect.fnUntraced(function* () {
        yield* chargeCaller(gates, "read", costs.read)
        return providersBody(yield* swaps.providers)
      }, Effect.mapError(toErrorBody)),
      tokens: Effect.fnUntraced(function* ({ query }) {
        yield* chargeCaller(gates, "read", costs.read)
        const { tokens, total } = yield* catalog.search({
          text: query.search ?? "",
          chainIds: query.chains ?? [],
          offset: (query.page - 1) * query.perPage,
          limit: query.perPage
        })
        const base = yield* baseUrl
        return {
          tokens: tokens.map((token) => tokenBody(base, token)),
          total,
          page: query.page,
          perPage: query.perPage
        }
      }, Effect.mapError(errorOfQuery))
    })
  })
)
