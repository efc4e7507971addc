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

/** An offer of a provider to turn money of a bank into a stablecoin, or the other way. Stored whole, never changed. */
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
  /** What the bank is paid or pays, in the smallest units of the currency. */
  fiatAmount: Schema.BigInt,
  /** What the wallet gets or gives, the treasury's fee included, in base units. */
  tokenAmount: Schema.BigInt,
  /** Those of the provider, in the currency. */
  fees: Schema.Array(Fee),
  /** Percent of the token that goes to the project's treasury. */
  transactionFeePercent: Schema.Finite,
  /** The provider, and its own id of the offer. */
  provider: Schema.String,
  providerQuote: Schema.String,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatQuote = typeof FiatQuote.Type

/** A state that an order has come to. */
export const FiatStep = Schema.Struct({ state: FiatOrderState, at: Schema.DateTimeUtc })
export type FiatStep = typeof FiatStep.Type

/** A quote that somebody has taken. It says nothing of a person but an id: where a bank pays to, its provider alone knows. */
export const FiatOrder = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  quote: FiatQuote,
  state: FiatOrderState,
  /** Of the way to this state. */
  steps: Schema.Array(FiatStep),
  /** The quote that is executed for it: of the owner's operation, or of the deposit itself. */
  executedQuote: Schema.String,
  /** What the bank pays, by the provider's binding offer, or was paid; as quoted until the provider has said it. */
  fiatAmount: Schema.BigInt,
  /** What of the token came to the wallet; null until it did, and of withdrawals. Orders of before this was kept have none. */
  receivedAmount: Schema.NullOr(Schema.BigInt).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** The provider's binding offer, and its id of the order once it has made one. */
  providerQuote: Schema.String,
  providerOrder: Schema.NullOr(Schema.String),
  /** What the owner allows the provider to take; null where the token is sent, of deposits, and of orders of before this was kept. */
  allowance: Schema.NullOr(Schema.Struct({ spender: Address, amount: Schema.BigInt })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  ),
  /** How an operator ended the order's review, after which the provider is not asked any more; null where none did. */
  resolution: Schema.NullOr(
    Schema.Struct({ state: FiatOrderState, reason: Schema.String, at: Schema.DateTimeUtc })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** How the bank is paid; null of withdrawals, and until the provider has said it. */
  instructions: Schema.NullOr(DepositInstructions),
  /** Why it failed, is in review or went back; null where nobody said. */
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc
})
export type FiatOrder = typeof FiatOrder.Type
