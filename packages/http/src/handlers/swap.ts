import { isEvmAddress } from "@countersign/core/primitives"
import { Projects } from "@countersign/core/projects"
import { Swaps } from "@countersign/core/swap"
import { WalletNotRegistered } from "@countersign/core/wallets"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { toBody } from "../errors/index.ts"
import { quotesBody, swapRequestOf } from "../wire/swapTranslation.ts"
import { ComputeUnitCosts, charged } from "./asCaller.ts"

export const SwapHandlers = HttpApiBuilder.group(
  Api,
  "swap",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const swaps = yield* Swaps
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      quote: Effect.fnUntraced(function* ({ payload }) {
        const { walletAddress } = payload
        const cost = payload.routeProfile === "QUICKEST_QUOTE" ? costs.quote : costs.slowQuote
        const caller = yield* charged(projects, "quote", cost)
        if (!isEvmAddress(walletAddress)) return yield* new WalletNotRegistered({ walletAddress })
        return quotesBody(yield* swaps.quote(caller.project, swapRequestOf(payload, walletAddress)))
      }, Effect.mapError(toBody))
    })
  })
)
