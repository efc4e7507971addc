import {
  liquidityAddBody,
  liquidityCreateBody,
  liquidityRebalanceBody,
  liquidityWithdrawBody
} from "@countersign/adapters/wire"
import { Liquidity } from "@countersign/core/liquidity"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody } from "../errors/index.ts"
import { baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const LiquidityHandlers = HttpApiBuilder.group(
  Api,
  "liquidity",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const liquidity = yield* Liquidity
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* chargeCaller(gates, "quote", costs.quote)
        return { operation: liquidityCreateBody(yield* baseUrl, yield* liquidity.create(project, payload)) }
      }, Effect.mapError(errorOfBody)),
      add: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* chargeCaller(gates, "quote", costs.quote)
        return { operation: liquidityAddBody(yield* baseUrl, yield* liquidity.add(project, payload)) }
      }, Effect.mapError(errorOfBody)),
      withdraw: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* chargeCaller(gates, "quote", costs.quote)
        return { operation: liquidityWithdrawBody(yield* liquidity.withdraw(project, payload)) }
      }, Effect.mapError(errorOfBody)),
      rebalance: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* chargeCaller(gates, "quote", costs.quote)
        return { operation: liquidityRebalanceBody(yield* liquidity.rebalance(project, payload)) }
      }, Effect.mapError(errorOfBody))
    })
  })
)
