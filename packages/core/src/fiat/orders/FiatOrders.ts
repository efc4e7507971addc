import { Context, Effect, Layer, Option } from "effect"
import type { BadRequest } from "../../foundation/errors/index.ts"
import type { TokensNotAuthorized } from "../../foundation/tokens/index.ts"
import type { Quote, QuoteRefusal } from "../../operations/quotes/index.ts"
import type { Project, ProjectId } from "../../tenancy/projects/index.ts"
import type { WalletNotRegistered } from "../../wallets/registry/index.ts"
import {
  type FailedToCreateFiatDeposit,
  type FailedToCreateFiatWithdraw,
  FiatOrderNotFound,
  type FiatQuoteAlreadyUsed,
  type FiatQuoteExpired,
  type FiatQuoteNotFound,
  type FinancialLimitExceeded,
  type IdentityNotFound,
  type IdentityNotVerified
} from "../errors.ts"
import type { BankDestination } from "../methods/PaymentMethod.ts"
import { depositOrders } from "./depositOrders.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { type FiatOrderFilter, FiatOrderStore } from "./FiatOrderStore.ts"
import { orderEnds } from "./orderEnds.ts"
import type { FiatOrderState } from "./orderStates.ts"
import { withdrawalOrders } from "./withdrawalOrders.ts"

type QuoteProblem = FiatQuoteNotFound | FiatQuoteExpired | FiatQuoteAlreadyUsed
type OrderRefusal = QuoteProblem | IdentityNotFound | IdentityNotVerified | FinancialLimitExceeded

/** An order and its executed quote, which the owner signs if the quote requires a signature. */
export interface ExecutedOrder {
  readonly order: FiatOrder
  readonly executed: Quote
}

/** An order and the id of its transaction. The id is null before the order has a transaction. */
export interface OrderView {
  readonly order: FiatOrder
  readonly transactionId: string | null
}

/** Creates the orders of deposits and withdrawals from quotes, and ends those that no provider report can end. */
export class FiatOrders extends Context.Service<
  FiatOrders,
  {
    /**
     * Creates the order of a deposit quote. Concurrent requests create only one order. The order then counts toward the
     * limits.
     */
    readonly deposit: (
      project: Project,
      quoteId: string
    ) => Effect.Effect<FiatOrder, OrderRefusal | FailedToCreateFiatDeposit>
    /** Creates the order of a withdrawal quote, with the operation that the owner signs and executes. */
    readonly withdraw: (
      project: Project,
      quoteId: string,
      destination: BankDestination
    ) => Effect.Effect<
      ExecutedOrder,
      OrderRefusal | Exclude<QuoteRefusal, WalletNotRegistered | TokensNotAuthorized> | FailedToCreateFiatWithdraw
    >
    readonly get: (projectId: ProjectId, id: string) => Effect.Effect<OrderView, FiatOrderNotFound>
    readonly list: (filter: FiatOrderFilter) => Effect.Effect<ReadonlyArray<FiatOrder>>
    /**
     * Ends an order that is in review, or pending and unchanged for a day, as decided by an operator. A repeated call
     * has no further effect.
     */
    readonly resolve: (
      projectId: ProjectId,
      id: string,
      decision: { readonly status: FiatOrderState; readonly reason: string }
    ) => Effect.Effect<FiatOrder, FiatOrderNotFound | BadRequest>
    /** Ends withdrawals that were not signed in time, and withdrawals whose operation failed. Returns their number. */
    readonly endUnsigned: Effect.Effect<number>
  }
>()("@countersign/core/fiat/FiatOrders") {
  static readonly layer = Layer.effect(
    FiatOrders,
    Effect.gen(function* () {
      const store = yield* FiatOrderStore
      const { endUnsigned, resolve, transactionIdOf } = yield* orderEnds

      return FiatOrders.of({
        deposit: yield* depositOrders,
        withdraw: yield* withdrawalOrders,
        get: Effect.fn("FiatOrders.get")(function* (projectId, orderId) {
          const existingOrder = Option.getOrNull(yield* store.find(projectId, orderId))
          if (existingOrder === null) return yield* new FiatOrderNotFound({ orderId })
          return { order: existingOrder.order, transactionId: yield* transactionIdOf(existingOrder.order) }
        }),
        list: store.list,
        resolve,
        endUnsigned
      })
    })
  )
}
