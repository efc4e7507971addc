import { transactionEvents } from "@countersign/core/history"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { historyBody } from "../wire/historyTranslation.ts"
import { movedTokens } from "../wire/movedTokens.ts"
import { eventBaseUrl, resourcePresenter } from "./ResourcePresenter.ts"

export const transactionPresenter = resourcePresenter(
  transactionEvents,
  Effect.gen(function* () {
    const catalog = yield* TokenCatalog
    const fiat = yield* FiatRates
    const base = yield* eventBaseUrl
    return Effect.fnUntraced(function* (transaction) {
      const find = yield* movedTokens(catalog, [transaction])
      return historyBody(base, transaction, find, yield* fiat.perUsdE18)
    })
  })
)
