import { batchBody } from "@countersign/adapters/wire"
import { Batches } from "@countersign/core/batch"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody } from "../errors/index.ts"
import { ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const BatchHandlers = HttpApiBuilder.group(
  Api,
  "batch",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const batches = yield* Batches
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      quote: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* chargeCaller(gates, "quote", costs.quote)
        return batchBody(yield* batches.quote(caller.project, payload))
      }, Effect.mapError(errorOfBody))
    })
  })
)
