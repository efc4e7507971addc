import { History, type Transaction } from "@countersign/core/history"
import type { ProjectId } from "@countersign/core/projects"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { Effect } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  Explorers,
  HistoryQuery,
  HistoryResponse,
  historyBody,
  historyFilterOf,
  movedTokens,
  requireMetadataPair,
  WalletAddressText
} from "../wire/index.ts"
import { answerOf, bodyOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const historyQuery = queryOf(HistoryQuery)
const walletAddress = bodyOf(WalletAddressText)
const historyAnswer = answerOf(HistoryResponse)

/** A page of transactions as the API shows it. */
export const historyPage = Effect.fnUntraced(function* (
  transactions: ReadonlyArray<Transaction>,
  nextLastId: string | null
) {
  const base = yield* LinkBase
  const explorerOf = yield* Explorers
  const find = yield* movedTokens(yield* TokenCatalog, transactions)
  const rates = yield* (yield* FiatRates).perUsdE18
  return yield* historyAnswer({
    nextLastId,
    transactions: transactions.map((transaction) => historyBody(base, transaction, find, rates, explorerOf))
  })
})

/** What the wallets of a project did. */
export const historyOf = (run: Run, project: ProjectId) => ({
  /** Transactions of a wallet, newest first. As `GET /api/v1/wallets/:walletAddress/history`. */
  list: (address: string, query: QueryInput<typeof HistoryQuery> = {}) =>
    run(
      Effect.gen(function* () {
        const parameters = yield* historyQuery(query)
        yield* requireMetadataPair(parameters)
        const page = yield* (yield* History).list(project, {
          walletAddress: yield* walletAddress(address),
          filter: historyFilterOf(parameters),
          lastId: parameters.lastId ?? null,
          take: parameters.take
        })
        return yield* historyPage(page.transactions, page.nextLastId)
      })
    )
})
