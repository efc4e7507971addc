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

/** A provider's offer to convert fiat to a stablecoin, or the other way. Immutable. */
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

/** A state of an order, with its time. */
export const FiatStep = Schema.Struct({ state: FiatOrderState, at: Schema.DateTimeUtc })
export type FiatStep = typeof FiatStep.Type

/** An accepted quote. Its only personal data is an id: only the provider stores the bank account of a withdrawal. */
export const FiatOrder = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  quote: FiatQuote,
  state: FiatOrderState,
  /** The states until the current one. */
  steps: Schema.Array(FiatStep),
  /** The executed quote: of the owner's operation, or of the deposit itself. */
  executedQuote: Schema.String,
  /**
   * The fiat amount that is paid out, by the provider's binding offer, or that was paid in; as quoted until the
   * provider reports it.
   */
  fiatAmount: Schema.BigInt,
  /**
   * The received token amount of a deposit; null before it, and for withdrawals. Absent in orders of earlier versions.
   */
  receivedAmount: Schema.NullOr(Schema.BigInt).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The id of the provider's binding offer, and its id of the order once it has created one. */
  providerQuote: Schema.String,
  providerOrder: Schema.NullOr(Schema.String),
  /**
   * The allowance that the owner gives the provider; null if the token is sent, for deposits, and in orders of earlier
   * versions.
   */
  allowance: Schema.NullOr(Schema.Struct({ spender: Address, amount: Schema.BigInt })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  /**
   * The operator's decision on the order's review, after which the provider is no longer polled; null if there is none.
   */
  resolution: Schema.NullOr(
    Schema.Struct({ state: FiatOrderState, reason: Schema.String, at: Schema.DateTimeUtc })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The payment instructions; null for withdrawals, and until the provider returns them. */
  instructions: Schema.NullOr(DepositInstructions),
  /** Why it failed, is in review or was returned; null if not reported. */
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatOrder = typeof FiatOrder.Type
