import { Effect, Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Fee } from "../../foundation/fees/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import { CurrencyCode, Token } from "../../foundation/tokens/index.ts"
import { IndividualId } from "../../identity/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { FiatMethod } from "../methods/PaymentMethod.ts"
import { DepositInstructions } from "./DepositInstructions.ts"
import { FiatDirection, FiatOrderState } from "./orderStates.ts"

/** A provider's immutable offer to convert fiat to a stablecoin, or a stablecoin to fiat. */
export const FiatQuote = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  projectId: ProjectId,
  direction: FiatDirection,
  method: FiatMethod,
  individualId: IndividualId,
  walletAddress: Address,
  chainId: EvmChainId,
  token: Token,
  currency: CurrencyCode,
  /** The fiat amount that is paid in or paid out, in the smallest units of the currency. */
  fiatAmount: Schema.BigInt,
  /**
   * In base units: for a deposit, the amount that the wallet receives. For a withdrawal, the amount that it pays,
   * including the transaction fee.
   */
  tokenAmount: Schema.BigInt,
  /** The provider's fees, in the currency. */
  fees: Schema.Array(Fee),
  /** Percentage of the token amount that is charged as the transaction fee. Zero for deposits. */
  transactionFeePercent: Schema.Finite,
  /** The provider, and the provider's id of the offer. */
  provider: Schema.String,
  providerQuote: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatQuote = typeof FiatQuote.Type

/** A state that an order has reached, and the time when it did. */
export const FiatStep = Schema.Struct({ state: FiatOrderState, at: Schema.DateTimeUtc })
export type FiatStep = typeof FiatStep.Type

/**
 * An accepted quote. It refers to the individual only by id. Only the provider stores the bank account of a withdrawal.
 */
export const FiatOrder = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  quote: FiatQuote,
  state: FiatOrderState,
  /** The reached states, in chronological order. The last one is the current state. */
  steps: Schema.Array(FiatStep),
  /**
   * The id of the quote that is executed: for a withdrawal the quote of the owner's operation, for a deposit the quote
   * of the deposit itself.
   */
  executedQuote: Schema.String,
  /**
   * The fiat amount of a deposit's quote, or of the provider's binding offer for a withdrawal. Once the order is
   * completed or refunded, the amount that the provider reports.
   */
  fiatAmount: Schema.BigInt,
  /**
   * The token amount that a deposit has delivered. Null before the delivery, and for withdrawals. Absent in orders of
   * earlier versions.
   */
  receivedAmount: Schema.NullOr(Schema.BigInt).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /**
   * The provider's id of the binding offer. `providerOrder` is the provider's id of the order, which is null until the
   * provider has created the order.
   */
  providerQuote: Schema.String,
  providerOrder: Schema.NullOr(Schema.String),
  /**
   * The allowance that the owner grants the provider. Null for deposits, for withdrawals that send the token, and in
   * orders of earlier versions.
   */
  allowance: Schema.NullOr(Schema.Struct({ spender: Address, amount: Schema.BigInt })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  /**
   * The operator's decision after a review of the order. Null if there is none. After a decision, the provider is no
   * longer polled.
   */
  resolution: Schema.NullOr(
    Schema.Struct({ state: FiatOrderState, reason: Schema.String, at: Schema.DateTimeUtc })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /**
   * The time since which the provider reports that the order ended, while no block includes its transfer. Null if the
   * transfer is not missing, and in orders of earlier versions.
   */
  transferMissingSince: Schema.NullOr(Schema.DateTimeUtc).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The payment instructions. Null for withdrawals, and until the provider returns them. */
  instructions: Schema.NullOr(DepositInstructions),
  /**
   * Why the order has its state, such as the reason of a failure, a review or a return, or of a different amount. Null
   * if no reason is known.
   */
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatOrder = typeof FiatOrder.Type
