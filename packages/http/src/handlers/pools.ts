import { Explorers, poolBody, poolSearchOf, poolsBody, positionBody } from "@countersign/adapters/wire"
import { LiquidityPools, LiquidityPositions } from "@countersign/core/pools"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfPath, errorOfQuery } from "../errors/index.ts"
import { baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const PoolsHandlers = HttpApiBuilder.group(
  Api,
  "pools",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const pools = yield* LiquidityPools
    const positions = yield* LiquidityPositions
    const costs = yield* ComputeUnitCosts
    const explorerOf = yield* Explorers
    return handlers.handleAll({
      show: Effect.fnUntraced(function* ({ params, query }) {
        yield* chargeCaller(gates, "read", costs.read)
        const pool = yield* pools.show({ id: params.id, rangeInDays: query.rangeInDays })
        return { pool: poolBody(yield* baseUrl, explorerOf, pool) }
      }, Effect.mapError(errorOfPath)),
      position: Effect.fnUntraced(function* ({ params }) {
        yield* chargeCaller(gates, "read", costs.read)
        return { position: positionBody(yield* baseUrl, explorerOf, yield* positions.show(params)) }
      }, Effect.mapError(errorOfPath)),
      search: Effect.fnUntraced(function* ({ query }) {
        yield* chargeCaller(gates, "read", costs.read)
        const page = yield* pools.search(poolSearchOf(query))
        return poolsBody(yield* baseUrl, explorerOf, page)
      }, Effect.mapError(errorOfQuery))
    })
  })
)
