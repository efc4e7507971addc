import {
  accountRequestOf,
  Explorers,
  historyBody,
  historyFilterOf,
  movedTokens,
  requireMetadataPair,
  walletBody
} from "@countersign/adapters/wire"
import { History } from "@countersign/core/history"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { Wallets } from "@countersign/core/wallets"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody, errorOfQuery, toErrorBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { authorizeCaller, baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const WalletsHandlers = HttpApiBuilder.group(
  Api,
  "wallets",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const wallets = yield* Wallets
    const history = yield* History
    const catalog = yield* TokenCatalog
    const fiat = yield* FiatRates
    const costs = yield* ComputeUnitCosts
    const explorerOf = yield* Explorers

    return handlers.handleAll({
      register: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* authorizeCaller(gates, "execute")
        const request = yield* accountRequestOf(payload)
        return { wallet: walletBody(yield* baseUrl, yield* wallets.register(project.id, request, payload.metadata)) }
      }, Effect.mapError(errorOfBody)),
      address: Effect.fnUntraced(function* ({ query }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        const request = yield* accountRequestOf(query)
        return { wallet: walletBody(yield* baseUrl, yield* wallets.lookUp(project.id, request)) }
      }, Effect.mapError(errorOfQuery)),
      list: Effect.fnUntraced(function* () {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        const base = yield* baseUrl
        return { wallets: (yield* wallets.list(project.id)).map((wallet) => walletBody(base, wallet)) }
      }, Effect.mapError(toErrorBody)),
      factories: Effect.fnUntraced(function* () {
        yield* chargeCaller(gates, "read", costs.read)
        return { factories: wallets.factories }
      }, Effect.mapError(toErrorBody)),
      show: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        return { wallet: walletBody(yield* baseUrl, yield* wallets.show(project.id, params.walletAddress)) }
      }, Effect.mapError(toErrorBody)),
      replaceMetadata: Effect.fnUntraced(function* ({ params, payload }) {
        const { project } = yield* authorizeCaller(gates, "execute")
        const wallet = yield* wallets.replaceMetadata(project.id, params.walletAddress, payload.metadata)
        return { wallet: walletBody(yield* baseUrl, wallet) }
      }, Effect.mapError(errorOfBody)),
      history: Effect.fnUntraced(function* ({ params, query }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        if (query.chainInId !== undefined || query.chainOutId !== undefined) requestInfo().deprecated = true
        yield* requireMetadataPair(query)
        const page = yield* history.list(project.id, {
          walletAddress: params.walletAddress,
          filter: historyFilterOf(query),
          lastId: query.lastId ?? null,
          take: query.take
        })
        const base = yield* baseUrl
        const rates = yield* fiat.perUsdE18
        const find = yield* movedTokens(catalog, page.transactions)
        return {
          nextLastId: page.nextLastId,
          transactions: page.transactions.map((transaction) => historyBody(base, transaction, find, rates, explorerOf))
        }
      }, Effect.mapError(errorOfQuery))
    })
  })
)
