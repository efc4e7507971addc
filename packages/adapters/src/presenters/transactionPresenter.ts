import { transactionEvents } from "@countersign/core/history"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { Explorers, historyBody, LinkBase, movedTokens } from "../wire/index.ts"
import { resourcePresenter } from "./ResourcePresenter.ts"

export const transactionPresenter = resourcePresenter(
  transactionEvents,
  Effect.gen(function* () {
    const catalog = yield* TokenCatalog
    const fiat = yield* FiatRates
    const base = yield* LinkBase
    const explorerOf = yield* Explorers
    return Effect.fnUntraced(function* (transaction) {
      const find = yield* movedTokens(catalog, [transaction])
      return historyBody(base, transaction, find, yield* fiat.perUsdE18, explorerOf)
    })
  })
)
