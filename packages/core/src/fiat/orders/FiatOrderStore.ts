import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Address } from "../../foundation/primitives/index.ts"
import type { IndividualId } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { LimitAmounts, UsedAmounts } from "../limits/limits.ts"
import type { LimitPeriod } from "../limits/periods.ts"
import type { FiatMethod } from "../methods/PaymentMethod.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import type { FiatDirection, FiatOrderState } from "./orderStates.ts"

/** Identifies the orders that count toward the same limit. */
export interface LimitSubject {
  readonly projectId: ProjectId
  readonly individualId: IndividualId
  readonly direction: FiatDirection
  readonly method: FiatMethod
}

export interface FiatOrderFilter {
  readonly projectId: ProjectId
  readonly walletAddress?: Address
  readonly individualId?: IndividualId
  readonly limit: number
}

/** A stored order and its version number. */
export interface StoredFiatOrder {
  readonly order: FiatOrder
  readonly version: number
}

/** The pending orders with one state and direction, in all projects. */
export interface PendingOrderCount {
  readonly state: FiatOrderState
  readonly direction: FiatDirection
  readonly count: number
  /** Creation time of the oldest order. */
  readonly oldestAt: DateTime.Utc
}

/** An order that an authentic webhook refers to, but that this service does not have. */
export interface UnknownFiatOrder {
  readonly provider: string
  readonly providerOrder: string
  /** Number of webhooks for this order. */
  readonly times: number
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
}

/** Stores fiat quotes and their orders. The limits are computed from the stored orders. */
export class FiatOrderStore extends Context.Service<
  FiatOrderStore,
  {
    readonly insertQuote: (quote: FiatQuote) => Effect.Effect<void>
    readonly findQuote: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<FiatQuote>>
    /**
     * Stores an order. Returns false if the quote already has one. Returns true to only one of all concurrent callers
     * in all processes.
     */
    readonly insert: (order: FiatOrder) => Effect.Effect<boolean>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByExecutedQuote: (
      projectId: ProjectId,
      quoteId: string
    ) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** Finds an order in any project by the provider's id, because a webhook contains only this id. */
    readonly findByProviderOrder: (provider: string, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** Returns orders, newest first. */
    readonly list: (filter: FiatOrderFilter) => Effect.Effect<ReadonlyArray<FiatOrder>>
    /** Replaces an order that still has this version. Returns true to only one of all concurrent callers. */
    readonly update: (order: FiatOrder, version: number) => Effect.Effect<boolean>
    /**
     * Returns withdrawals that still wait for their funds, and that expired before this time, oldest first. The owner
     * did not sign the operation, or its execution has ended.
     */
    readonly listUnsigned: (expiredBefore: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredFiatOrder>>
    /** Counts the pending orders by state and direction, for operators. */
    readonly countPending: Effect.Effect<ReadonlyArray<PendingOrderCount>>
    /** Records that a webhook referred to an unknown order. The record is kept for 30 days after the last webhook. */
    readonly recordUnknown: (provider: string, providerOrder: string, now: DateTime.Utc) => Effect.Effect<void>
    /** Returns the recorded orders that are still unknown, newest first. */
    readonly listUnknown: (limit: number) => Effect.Effect<ReadonlyArray<UnknownFiatOrder>>
    /** Returns the limits that an operator has set for an identity. Null if there are none. */
    readonly findLimitOverride: (subject: LimitSubject) => Effect.Effect<LimitAmounts | null>
    readonly setLimitOverride: (subject: LimitSubject, amounts: LimitAmounts | null) => Effect.Effect<void>
    /**
     * Returns the total of pending and completed orders, by creation time. In a unit of work, other callers with the
     * same subject wait until it ends, so their results include the inserted orders.
     */
    readonly readUsed: (
      subject: LimitSubject,
      since: Readonly<Record<LimitPeriod, DateTime.Utc>>
    ) => Effect.Effect<UsedAmounts>
  }
>()("@countersign/core/fiat/FiatOrderStore") {}
