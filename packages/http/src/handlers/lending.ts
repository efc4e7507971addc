import { lendingMarketsBody, lendingPositionsBody, lendingQuoteBody } from "@countersign/adapters/wire"
import { Lending } from "@countersign/core/lending"
import { TokenPrices, valuesOf } from "@countersign/core/tokens"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody, errorOfQuery, toErrorBody } from "../errors/index.ts"
import { authorizeCaller, baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const LendingHandlers = HttpApiBuilder.group(
  Api,
  "lending",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const lending = yield* Lending
    const prices = yield* TokenPrices
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      quote: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* authorizeCaller(gates, "quote")
        return lendingQuoteBody(yield* baseUrl, yield* lending.quote(caller.project, payload))
      }, Effect.mapError(errorOfBody)),
      markets: Effect.fnUntraced(function* ({ query }) {
        yield* chargeCaller(gates, "read", costs.read)
        const { chainId = null, provider = null } = query
        return lendingMarketsBody(yield* baseUrl, yield* lending.markets({ chainId, provider }))
      }, Effect.mapError(errorOfQuery)),
      positions: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        const positions = yield* lending.positions(project, params.walletAddress)
        const known = valuesOf(yield* prices.known(positions.found.flatMap(({ tokens }) => tokens)))
        return lendingPositionsBody(yield* baseUrl, positions, known)
      }, Effect.mapError(toErrorBody))
    })
  })
)
