import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Address } from "../../foundation/primitives/index.ts"
import type { IndividualId } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { LimitAmounts, UsedAmounts } from "../limits/limits.ts"
import type { LimitPeriod } from "../limits/periods.ts"
import type { FiatMethod } from "../methods/PaymentMethod.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import type { FiatDirection, FiatOrderState } from "./orderStates.ts"

/** Selects the orders that count together for a limit. */
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

/** A stored order, with its version number. */
export interface StoredFiatOrder {
  readonly order: FiatOrder
  readonly version: number
}

/** Pending orders of one state and direction, of all projects. */
export interface FiatWait {
  readonly state: FiatOrderState
  readonly direction: FiatDirection
  readonly count: number
  /** Creation time of the oldest order. */
  readonly oldestAt: DateTime.Utc
}

/** An order in an authentic callback that is not known here. */
export interface UnknownFiatOrder {
  readonly provider: string
  readonly providerOrder: string
  /** The number of callbacks for this order. */
  readonly times: number
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
}

/** Stores fiat quotes and their orders. The orders are also the ledger for the limits. */
export class FiatOrderStore extends Context.Service<
  FiatOrderStore,
  {
    readonly insertQuote: (quote: FiatQuote) => Effect.Effect<void>
    readonly findQuote: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<FiatQuote>>
    /** Returns false if the quote has an order. Only one of all concurrent callers in all processes gets true. */
    readonly insert: (order: FiatOrder) => Effect.Effect<boolean>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByExecutedQuote: (
      projectId: ProjectId,
      quoteId: string
    ) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** Finds an order of any project by the provider's id, which is what a callback contains. */
    readonly findByProviderOrder: (provider: string, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** Newest first. */
    readonly list: (filter: FiatOrderFilter) => Effect.Effect<ReadonlyArray<FiatOrder>>
    /** Replaces an order that still has this version. Only one of all concurrent callers gets true. */
    readonly update: (order: FiatOrder, version: number) => Effect.Effect<boolean>
    /** Withdrawals whose quotes expired before an instant without the owner's signature, oldest first. */
    readonly unsigned: (expiredBefore: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredFiatOrder>>
    /** The pending orders by state and direction, for operators. */
    readonly waits: Effect.Effect<ReadonlyArray<FiatWait>>
    /** Records that a callback had an unknown order. The record is kept for 30 days after the last callback. */
    readonly keepUnknown: (provider: string, providerOrder: string, now: DateTime.Utc) => Effect.Effect<void>
    /** The recorded unknown orders that are still unknown, newest first. */
    readonly unknown: (limit: number) => Effect.Effect<ReadonlyArray<UnknownFiatOrder>>
    /** The limits that an operator has set for an identity; null if the default applies. */
    readonly limitOverride: (subject: LimitSubject) => Effect.Effect<LimitAmounts | null>
    readonly setLimitOverride: (subject: LimitSubject, amounts: LimitAmounts | null) => Effect.Effect<void>
    /**
     * The sum of pending and completed orders, by creation time. Call it in a unit of work. Other callers wait for this
     * subject until the unit of work ends, so their results include the inserted orders.
     */
    readonly used: (
      subject: LimitSubject,
      since: Readonly<Record<LimitPeriod, DateTime.Utc>>
    ) => Effect.Effect<UsedAmounts>
  }
>()("@countersign/core/fiat/FiatOrderStore") {}
