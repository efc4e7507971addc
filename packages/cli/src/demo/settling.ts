import { Effect, Schedule } from "effect"
import { type Transaction, TransactionAnswer } from "./answers.ts"
import type { Client } from "./client.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, showAnswer, showRequest, title } from "./narrate.ts"

const PATIENCE = "60 seconds"

/** Looks at a transaction until it has a final status. */
export const settledTransaction = Effect.fnUntraced(function* (client: Client, transactionId: string) {
  const statuses: Array<string> = []
  const readTransaction = Effect.gen(function* () {
    const { transaction } = yield* client.get(`/api/v1/crypto/transactions/${transactionId}`, TransactionAnswer)
    if (statuses.at(-1) !== transaction.status) {
      statuses.push(transaction.status)
      yield* say(`  ${transaction.status}`)
    }
    return transaction
  })
  const transaction = yield* readTransaction.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("100 millis"),
      until: ({ status }) => status !== "PROCESSING"
    }),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.fail(new DemoFailed({ reason: `Not settled within ${PATIENCE}; \`countersign doctor\` shows why.` }))
    })
  )
  if (transaction.status !== "COMPLETED") {
    const reason = transaction.failure?.message ?? "no reason known"
    return yield* new DemoFailed({ reason: `The operation ended as ${transaction.status}: ${reason}` })
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
