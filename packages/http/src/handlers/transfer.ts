import { transferBody } from "@countersign/adapters/wire"
import { Transfers } from "@countersign/core/transfer"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody } from "../errors/index.ts"
import { ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const TransferHandlers = HttpApiBuilder.group(
  Api,
  "transfer",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const transfers = yield* Transfers
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      quote: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* chargeCaller(gates, "quote", costs.quote)
        return { transfer: transferBody(yield* transfers.quote(caller.project, payload)) }
      }, Effect.mapError(errorOfBody))
    })
  })
)
