import { type Transaction, transactionEvents } from "@countersign/core/accounting/history"
import { FiatRates, TokenCatalog } from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import { Explorers, historyBody, LinkBase, movedTokenFinder } from "../wire/index.ts"
import { resourceSerializer } from "./ResourceSerializer.ts"

/** Serializes transactions in the API's format. */
export const transactionBodies = Effect.fnUntraced(function* (transactions: ReadonlyArray<Transaction>) {
  const base = yield* LinkBase
  const explorerOf = yield* Explorers
  const find = yield* movedTokenFinder(yield* TokenCatalog, transactions)
  const rates = yield* (yield* FiatRates).readDailyRates(
    transactions.map(({ createdAt, executedAt }) => executedAt ?? createdAt)
  )
  return transactions.map((transaction, i) => historyBody(base, transaction, find, rates[i]!, explorerOf))
})

export const transactionSerializer = resourceSerializer(
  transactionEvents,
  Effect.map(
    Effect.context<TokenCatalog | FiatRates>(),
    (services) => (transaction) =>
      Effect.map(Effect.provide(transactionBodies([transaction]), services), ([body]) => body!)
  )
)
