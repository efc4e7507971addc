import { DateTime, Effect } from "effect"
import { Entropy } from "../../foundation/primitives/index.ts"
import { Executions } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { FailedToCreateFiatDeposit } from "../errors.ts"
import { depositQuoteOf } from "./depositQuote.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { newOrder, orderStarts } from "./newOrder.ts"
import { openedOrders } from "./openedOrders.ts"

/** Creates deposit orders. An order is stored before the provider opens it. */
export const depositOrders = Effect.gen(function* () {
  const quotes = yield* QuoteStore
  const executions = yield* Executions
  const entropy = yield* Entropy
  const openOrder = yield* openedOrders
  const { insert, requireQuote } = yield* orderStarts

  const execute = Effect.fnUntraced(function* (order: FiatOrder) {
    const depositQuote = depositQuoteOf(order)
    yield* Effect.orDie(quotes.insert([depositQuote]))
    const acceptance = {
      signatures: {},
      stages: [],
      acceptedAt: order.createdAt,
      estimatedExecutionTime: DateTime.add(order.createdAt, { milliseconds: depositQuote.executionMs }),
      funds: null
    }
    // A deposit has no user operation, so these errors can't occur.
    yield* Effect.catchTag(
      executions.accept(depositQuote, acceptance),
      ["Shortage", "Conflict", "UNPAID_GAS_LIMIT", "QUOTE_STALE"],
      (failure) => Effect.die(failure)
    )
  })

  return Effect.fn("FiatOrders.deposit")(function* (project: Project, quoteId: string) {
    const quote = yield* requireQuote(project, quoteId, "DEPOSIT")
    const id = yield* entropy.uuid
    const { expiresAt, fiatAmount, providerQuote } = quote
    const fields = { id, executedQuote: id, fiatAmount, providerQuote, allowance: null, expiresAt }
    const order = newOrder(quote, yield* DateTime.now, fields)
    yield* insert(order, execute(order))
    const storedOrder = yield* openOrder(quote.projectId, id).pipe(
      Effect.mapError((error) => new FailedToCreateFiatDeposit({ reason: error.message }))
    )
    if (storedOrder.state === "FAILED")
      return yield* new FailedToCreateFiatDeposit({ reason: storedOrder.reason ?? "refused" })
    return storedOrder
  })
})
