import { Context, Effect, Layer, Option } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { type WalletNotRegistered, Wallets } from "../../wallets/registry/index.ts"
import { TransactionNotFound } from "./errors.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import { HistoryStore } from "./HistoryStore.ts"
import type { Transaction } from "./Transaction.ts"

export interface HistoryRequest {
  readonly walletAddress: WalletAddress
  readonly filter: HistoryFilter
  /** The id of the last transaction of the previous page. Null for the first page. */
  readonly lastId: string | null
  readonly take: number
}

/** Returns the transactions of a wallet, including pending ones. */
export class History extends Context.Service<
  History,
  {
    readonly get: (projectId: ProjectId, transactionId: string) => Effect.Effect<Transaction, TransactionNotFound>
    readonly list: (
      projectId: ProjectId,
      request: HistoryRequest
    ) => Effect.Effect<
      { readonly transactions: ReadonlyArray<Transaction>; readonly nextLastId: string | null },
      WalletNotRegistered | BadRequest
    >
  }
>()("@countersign/core/history/History") {
  static readonly layer = Layer.effect(
    History,
    Effect.gen(function* () {
      const store = yield* HistoryStore
      const wallets = yield* Wallets

      const cursorOf = Effect.fnUntraced(function* (projectId: ProjectId, request: HistoryRequest) {
        if (request.lastId === null) return null
        const last = yield* store.find(projectId, request.lastId)
        return Option.isSome(last) && last.value.walletAddress === request.walletAddress
          ? last.value
          : yield* BadRequest.of(
              "lastId",
              "unknown_cursor",
              "No transaction of this wallet has this id. Use nextLastId from the previous page, or omit lastId."
            )
      })

      return History.of({
        get: Effect.fn("History.get")(function* (projectId, transactionId) {
          const transaction = yield* store.find(projectId, transactionId)
          return Option.isSome(transaction) ? transaction.value : yield* new TransactionNotFound({ transactionId })
        }),
        list: Effect.fn("History.list")(function* (projectId, request) {
          yield* wallets.require(projectId, request.walletAddress)
          const cursor = yield* cursorOf(projectId, request)
          // One more row than requested shows whether a next page exists.
          const rows = yield* store.list({ ...request, projectId, after: cursor, take: request.take + 1 })
          const transactions = rows.slice(0, request.take)
          return {
            transactions,
            nextLastId: rows.length > request.take ? (transactions.at(-1)?.id ?? null) : null
          }
        })
      })
    })
  )
}
