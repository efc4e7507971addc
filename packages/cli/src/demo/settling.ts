import { Effect, Schedule } from "effect"
import { HistoryPage, type Transaction } from "./answers.ts"
import type { Client } from "./client.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showAnswer, showRequest, title } from "./narrate.ts"

const PATIENCE = "60 seconds"

/** Reads the history until the transaction has a final status. */
export const settledTransaction = Effect.fnUntraced(function* (client: Client, wallet: string, hash: string) {
  const path = `/api/v1/wallets/${wallet}/history?userOperationHash=${hash}`
  const statuses: Array<string> = []
  const readTransaction = Effect.gen(function* () {
    const { transactions } = yield* client.get(path, HistoryPage)
    const [transaction] = transactions
    if (transaction !== undefined && statuses.at(-1) !== transaction.status) {
      statuses.push(transaction.status)
      yield* say(`  ${transaction.status}`)
    }
    return transaction
  })
  const transaction = yield* readTransaction.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("100 millis"),
      until: (transaction) => transaction !== undefined && transaction.status !== "PROCESSING"
    }),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.fail(new DemoFailed({ reason: `Not settled within ${PATIENCE}; \`countersign doctor\` shows why.` }))
    })
  )
  if (transaction?.status !== "COMPLETED") {
    const reason = transaction?.failure?.message ?? "no reason known"
    return yield* new DemoFailed({ reason: `The operation ended as ${transaction?.status}: ${reason}` })
  }
  return transaction
})

const amount = (side: Transaction["sentAmount"]) => (side === null ? "-" : `${side.amount} ${side.token?.symbol ?? ""}`)

export const showHistory = Effect.fnUntraced(function* (transaction: Transaction) {
  yield* title(8, "Read it in the history")
  yield* showRequest("GET /api/v1/wallets/{walletAddress}/history", [])
  yield* showAnswer("200", [
    ["id", transaction.id],
    ["type", transaction.type],
    ["status", transaction.status],
    ["sentAmount", amount(transaction.sentAmount)],
    ["receivedAmount", amount(transaction.receivedAmount)],
    ["transactionHash", transaction.transactionHash.hash ?? "-"]
  ])
})
