import { DateTime, Effect, Option } from "effect"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { FiatQuoteAlreadyUsed, FiatQuoteExpired, FiatQuoteNotFound } from "../errors.ts"
import { FiatLimits } from "../limits/FiatLimits.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"
import { fiatEvent } from "./fiatEvents.ts"
import type { FiatDirection } from "./orderStates.ts"

/** The fields that differ between deposits and withdrawals. */
type OrderFields = Pick<FiatOrder, "id" | "executedQuote" | "fiatAmount" | "providerQuote" | "allowance" | "expiresAt">

/** Builds a new order of a quote, which waits for its funds. */
export const newOrder = (quote: FiatQuote, now: DateTime.Utc, fields: OrderFields): FiatOrder => ({
  ...fields,
  quote,
  state: "AWAITING_FUNDS",
  steps: [{ state: "AWAITING_FUNDS", at: now }],
  receivedAmount: null,
  resolution: null,
  transferMissingSince: null,
  providerOrder: null,
  instructions: null,
  reason: null,
  createdAt: now,
  updatedAt: now
})

/**
 * Returns the reason why no order can be created from a stored quote. Null if one can be created. `orderId` is the
 * existing order of the quote.
 */
export const quoteProblem = (
  { expiresAt, id: quoteId }: Pick<FiatQuote, "expiresAt" | "id">,
  orderId: string | null,
  now: DateTime.Utc
): FiatQuoteAlreadyUsed | FiatQuoteExpired | null => {
  if (orderId !== null) return new FiatQuoteAlreadyUsed({ quoteId, orderId })
  return DateTime.isGreaterThan(now, expiresAt) ? new FiatQuoteExpired({ quoteId, expiresAt }) : null
}

/** The common steps of creating deposit and withdrawal orders. */
export const orderStarts = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const limits = yield* FiatLimits
  const outbox = yield* EventOutbox
  const unitOfWork = yield* UnitOfWork

  const orderIdOf = ({ id, projectId }: Pick<FiatQuote, "id" | "projectId">) =>
    Effect.map(store.findByQuote(projectId, id), (storedOrder) => Option.getOrNull(storedOrder)?.order.id ?? null)

  return {
    /** Loads the quote. Fails if no order can be created from it. */
    requireQuote: Effect.fnUntraced(function* (project: Project, quoteId: string, direction: FiatDirection) {
      const quote = Option.getOrNull(yield* store.findQuote(project.id, quoteId))
      if (quote === null || quote.direction !== direction) return yield* new FiatQuoteNotFound({ quoteId })
      const problem = quoteProblem(quote, yield* orderIdOf(quote), yield* DateTime.now)
      if (problem !== null) return yield* problem
      yield* limits.requireIdentity(project.id, quote.individualId, "quoteId")
      return quote
    }),
    /** Stores a new order with its event and its execution. Fails if the order exceeds a limit or if the quote already has an order. */
    insert: <E>(order: FiatOrder, execute: Effect.Effect<unknown, E>) =>
      unitOfWork.run(
        Effect.gen(function* () {
          const { quote } = order
          // Checking the limit locks the subject's row before the order is inserted. If two requests deadlock, one of
          // the orders is rejected.
          yield* limits.require(quote, quote.fiatAmount)
          if (!(yield* store.insert(order))) {
            const orderId = (yield* orderIdOf(quote)) ?? "of another request"
            return yield* new FiatQuoteAlreadyUsed({ quoteId: quote.id, orderId })
          }
          yield* outbox.append(fiatEvent(order, null))
          yield* execute
        })
      )
  }
})
