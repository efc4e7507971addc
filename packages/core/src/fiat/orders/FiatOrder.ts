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

/** A provider's immutable offer to convert fiat to a stablecoin or a stablecoin to fiat. */
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
  /** The fiat amount that is paid in or out, in the smallest units of the currency. */
  fiatAmount: Schema.BigInt,
  /** The amount that the wallet receives or pays, including the treasury's fee, in base units. */
  tokenAmount: Schema.BigInt,
  /** The provider's fees, in the currency. */
  fees: Schema.Array(Fee),
  /** Percentage of the token amount that is paid to the project's treasury. */
  transactionFeePercent: Schema.Finite,
  /** The provider, and its id of the offer. */
  provider: Schema.String,
  providerQuote: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatQuote = typeof FiatQuote.Type

/** A state that an order has reached, and when. */
export const FiatStep = Schema.Struct({ state: FiatOrderState, at: Schema.DateTimeUtc })
export type FiatStep = typeof FiatStep.Type

/** An accepted quote. Its only personal data is an id: only the provider stores the bank account of a withdrawal. */
export const FiatOrder = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  quote: FiatQuote,
  state: FiatOrderState,
  /** The states in the order in which they were reached. The last one is the current state. */
  steps: Schema.Array(FiatStep),
  /** The id of the executed quote: for a withdrawal the owner's operation, for a deposit the deposit itself. */
  executedQuote: Schema.String,
  /**
   * The fiat amount that is paid out, by the provider's binding offer, or that was paid in. It is the quoted amount
   * until the provider reports the actual one.
   */
  fiatAmount: Schema.BigInt,
  /**
   * The received token amount of a deposit. Null before the arrival, and for withdrawals. Absent in orders of earlier
   * versions.
   */
  receivedAmount: Schema.NullOr(Schema.BigInt).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The provider's id of the binding offer. `providerOrder` is its id of the order; null until it is created. */
  providerQuote: Schema.String,
  providerOrder: Schema.NullOr(Schema.String),
  /**
   * The allowance that the owner gives the provider. Null for deposits, for withdrawals that send the token, and in
   * orders of earlier versions.
   */
  allowance: Schema.NullOr(Schema.Struct({ spender: Address, amount: Schema.BigInt })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  /**
   * The operator's decision on the order's review; null without a decision. After it, the provider is no longer polled.
   */
  resolution: Schema.NullOr(
    Schema.Struct({ state: FiatOrderState, reason: Schema.String, at: Schema.DateTimeUtc })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The payment instructions; null for withdrawals, and until the provider returns them. */
  instructions: Schema.NullOr(DepositInstructions),
  /** Why the order failed, is in review or was returned; null if the provider reported no reason. */
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatOrder = typeof FiatOrder.Type
