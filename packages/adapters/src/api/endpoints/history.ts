import { History } from "@countersign/core/accounting/history"
import { withDescription } from "@countersign/core/foundation/primitives"
import { Effect, Schema } from "effect"
import { transactionBodies } from "../serializers/index.ts"
import {
  HistoryQuery,
  HistoryResponse,
  historyFilterOf,
  requireDatesInOrder,
  requireMetadataPair,
  TransactionResponse
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { UUID, WALLET } from "./exampleValues.ts"
import { positionLink } from "./links.ts"
import { walletPath } from "./walletPath.ts"

const list = endpoint({
  id: "history.list",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/history",
  summary: "List the transactions of a wallet, newest first",
  description:
    "Pending transactions are included. A response has one page; for the next page, set `lastId` to its `nextLastId`.",
  params: walletPath,
  query: HistoryQuery,
  deprecated: ["chainInId", "chainOutId"],
  success: HistoryResponse,
  responses: "transactions",
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "read",
  cost: "read",
  example: { parameters: { walletAddress: WALLET, take: 10, chains: [1] } },
  links: {
    add: positionLink("add", "Add to the position"),
    withdraw: positionLink("withdraw", "Withdraw from the position"),
    rebalance: positionLink("rebalance", "Move the position to another range")
  },
  run: Effect.fnUntraced(function* ({ params, project, query }) {
    yield* requireMetadataPair(query)
    yield* requireDatesInOrder(query)
    const { nextLastId, transactions } = yield* (yield* History).list(project.id, {
      walletAddress: params.walletAddress,
      filter: historyFilterOf(query),
      lastId: query.lastId ?? null,
      take: query.take
    })
    return { nextLastId, transactions: yield* transactionBodies(transactions) }
  })
})

const get = endpoint({
  id: "history.get",
  method: "GET",
  path: "/api/v1/crypto/transactions/:transactionId",
  summary: "Get a transaction by its id",
  description: "Returns one transaction, in the format of the wallet's history.",
  params: {
    transactionId: Schema.String.pipe(
      withDescription("`transactionId` of an execution, or `id` of a transaction in the history")
    )
  },
  success: TransactionResponse,
  responses: "transaction",
  errors: ["TRANSACTION_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { transactionId: UUID } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const transaction = yield* (yield* History).get(project.id, params.transactionId)
    const [body] = yield* transactionBodies([transaction])
    return { transaction: body! }
  })
})

export const history = { list, get }
