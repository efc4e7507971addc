import { quotesBody } from "@countersign/adapters/wire"
import { Swaps } from "@countersign/core/swap"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody } from "../errors/index.ts"
import { countQuote } from "../server/metrics.ts"
import { ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const SwapHandlers = HttpApiBuilder.group(
  Api,
  "swap",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const swaps = yield* Swaps
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      quote: Effect.fnUntraced(function* ({ payload }) {
        const cost = payload.routeProfile === "QUICKEST_QUOTE" ? costs.quote : costs.slowQuote
        const caller = yield* chargeCaller(gates, "quote", cost)
        const swapQuotes = yield* swaps.quote(caller.project, payload)
        yield* Effect.forEach(swapQuotes.candidates, ({ amountOut, latencyMs, provider, refusal }) =>
          countQuote(
            provider,
            amountOut === null ? "refused" : refusal === null ? "executable" : "reverting",
            latencyMs
          )
        )
        return quotesBody(swapQuotes)
      }, Effect.mapError(errorOfBody))
    })
  })
)
