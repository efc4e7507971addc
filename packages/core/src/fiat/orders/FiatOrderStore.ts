import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Address } from "../../foundation/primitives/index.ts"
import type { IndividualId } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { LimitAmounts, Used } from "../limits/limits.ts"
import type { LimitPeriod } from "../limits/periods.ts"
import type { FiatMethod } from "../methods/PaymentMethod.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import type { FiatDirection, FiatOrderState } from "./orderStates.ts"

/** Whose orders of which kind count together. */
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

/** A stored order, and how often it has changed. */
export interface StoredFiatOrder {
  readonly order: FiatOrder
  readonly version: number
}

/** Orders of one state that are under way, of every project. */
export interface FiatWait {
  readonly state: FiatOrderState
  readonly direction: FiatDirection
  readonly count: number
  /** When the oldest of them was made. */
  readonly oldestAt: DateTime.Utc
}

/** An order that a provider has named in a genuine message, and that is not known here. */
export interface UnknownFiatOrder {
  readonly provider: string
  readonly providerOrder: string
  /** How many messages have named it. */
  readonly times: number
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
}

/** Quotes of money of banks, and the orders that were made of them. The orders are also the ledger of the limits. */
export class FiatOrderStore extends Context.Service<
  FiatOrderStore,
  {
    readonly insertQuote: (quote: FiatQuote) => Effect.Effect<void>
    readonly findQuote: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<FiatQuote>>
    /** False where the quote has an order already: of any number of callers, in any number of processes, one gets true. */
    readonly insert: (order: FiatOrder) => Effect.Effect<boolean>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    readonly findByExecutedQuote: (
      projectId: ProjectId,
      quoteId: string
    ) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** By the provider's id, of whichever project: what a callback names. */
    readonly findByProviderOrder: (provider: string, id: string) => Effect.Effect<Option.Option<StoredFiatOrder>>
    /** Newest first. */
    readonly list: (filter: FiatOrderFilter) => Effect.Effect<ReadonlyArray<FiatOrder>>
    /** Replaces an order that is still at this version. However many do so at once, one of them gets true. */
    readonly update: (order: FiatOrder, version: number) => Effect.Effect<boolean>
    /** Withdrawals that wait for their owner's signature since before an instant, oldest first. */
    readonly unsigned: (expiredBefore: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredFiatOrder>>
    /** What is under way, by state and direction: for an operator. */
    readonly waits: Effect.Effect<ReadonlyArray<FiatWait>>
    /** Keeps that a provider has named an order that is not known, for 30 days after the last time. */
    readonly keepUnknown: (provider: string, providerOrder: string, now: DateTime.Utc) => Effect.Effect<void>
    /** Of those that are kept, the ones that are not known still: newest first. */
    readonly unknown: (limit: number) => Effect.Effect<ReadonlyArray<UnknownFiatOrder>>
    /** The limits that an operator has given an identity; null for those of everybody. */
    readonly limitOverride: (subject: LimitSubject) => Effect.Effect<LimitAmounts | null>
    readonly setLimitOverride: (subject: LimitSubject, amounts: LimitAmounts | null) => Effect.Effect<void>
    /**
     * What orders that are alive or completed add up to, by when they were made. Ask in a unit of work: other callers get no answer
     * for the subject until that unit has ended, so what it inserts is in the next answer.
     */
    readonly used: (subject: LimitSubject, since: Readonly<Record<LimitPeriod, DateTime.Utc>>) => Effect.Effect<Used>
  }
>()("@countersign/core/fiat/FiatOrderStore") {}
