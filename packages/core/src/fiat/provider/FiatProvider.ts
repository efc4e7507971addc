import { Context, type DateTime, type Effect, Schema } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Fee } from "../../foundation/fees/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Country, IndividualId, PersonalData, VerificationSession } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { BankDestination, FiatMethod } from "../methods/PaymentMethod.ts"
import type { DepositInstructions } from "../orders/DepositInstructions.ts"
import type { FiatOrder } from "../orders/FiatOrder.ts"
import type { FiatDirection, FiatOrderState } from "../orders/orderStates.ts"
import type { ProviderRegistration, RegistrationOutcome } from "../registrations/ProviderRegistration.ts"
import type { Submission } from "../registrations/Submission.ts"

/** One of the ways that a provider serves. */
export interface FiatRoute {
  readonly direction: FiatDirection
  readonly method: FiatMethod
  readonly symbols: ReadonlyArray<string>
  readonly chainIds: ReadonlyArray<EvmChainId>
}

/** What a provider is asked for. */
export interface FiatAsk {
  readonly projectId: ProjectId
  readonly direction: FiatDirection
  readonly method: FiatMethod
  readonly currency: string
  readonly token: Token
  readonly chainId: EvmChainId
  readonly walletAddress: Address
  readonly individualId: IndividualId
  /** What is given: the smallest units of the currency of a deposit, base units of the token of a withdrawal. */
  readonly amount: bigint
}

/** What a provider would do. A withdrawal is bound once it is known where it goes; of a deposit counts what came. */
export interface FiatOffer {
  readonly providerQuote: string
  readonly fiatAmount: bigint
  readonly tokenAmount: bigint
  readonly fees: ReadonlyArray<Fee>
  readonly expiresAt: DateTime.Utc
}

/** A deposit that waits for the bank's money. */
export interface OpenedDeposit {
  readonly providerOrder: string
  readonly instructions: DepositInstructions
  readonly expiresAt: DateTime.Utc
}

/** A withdrawal that waits for the wallet's token. */
export interface BoundWithdrawal {
  readonly providerQuote: string
  readonly fiatAmount: bigint
  /** ALLOW: the owner allows the provider to take the token. SEND: the owner sends it. */
  readonly way: "ALLOW" | "SEND"
  /** Who takes the token from the wallet, or where it is sent. */
  readonly recipient: Address
  readonly tokenAmount: bigint
  readonly expiresAt: DateTime.Utc
}

/** The provider's word on an order. */
export interface FiatReport {
  readonly state: FiatOrderState
  /** The transfers of the token that it names: to the wallet of a deposit and of what is returned, from it else. */
  readonly transactionHash: Hash32 | null
  /**
   * Where a return of the token is, beside the transfer that took it. UNNAMED where the provider never says so, nor whether it was to the
   * wallet: it is looked for, and what has not come back is FAILED.
   */
  readonly returnHash: Hash32 | "UNNAMED" | null
  /** What the bank was paid or has paid, in the smallest units of the currency; null where the provider does not say it. */
  readonly fiatAmount: bigint | null
  readonly reason: string | null
}

/** The provider does not do what it was asked, and will not on another attempt. */
export class FiatRefusal extends Schema.TaggedError<FiatRefusal>("core/fiat/FiatRefusal")("FIAT_REFUSAL", {
  provider: Schema.String,
  reason: Schema.String,
  /** The field of a withdrawal order that is at fault, such as `paymentMethod.beneficiaryName`; absent where none is. */
  field: Schema.optionalKey(Schema.String),
  /** The individual is not a customer that may move the currency. */
  isCustomerMissing: Schema.optionalKey(Schema.Boolean)
}) {
  override get message(): string {
    return `${this.provider}: ${this.reason}`
  }
}

/** A message of a provider: headers by their names in lower case, and the body as it came. */
export interface FiatCallback {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The provider's ids of the order or the customer that a genuine message is about, null for none; or why it is not genuine. */
export type ReadCallback =
  | { readonly _tag: "Genuine"; readonly providerOrder: string | null; readonly customer: string | null }
  | { readonly _tag: "Refused"; readonly reason: string }

export interface RegistrationAsk {
  readonly registration: ProviderRegistration
  readonly session: VerificationSession
  /** Opens the session's personal data, and records that the provider receives it; null where it was erased. */
  readonly personal: Effect.Effect<PersonalData | null>
  /** What was submitted for this provider after the approval. */
  readonly submission: Submission | null
}

/** How identities become customers of a provider. */
export interface CustomerRegistration {
  /** Whether the provider takes customers of this country. */
  readonly serves: (country: Country) => boolean
  /**
   * A page of the provider on which the customer accepts its terms. It leads on to the redirect URL with the id of the agreement. Null
   * where no agreement is needed.
   */
  readonly termsLink: ((redirectUrl: string | null) => Asked<string>) | null
  /** Makes the identity a customer unless it is one, links it, and answers its status. Again, also after a kill: no second customer. */
  readonly register: (ask: RegistrationAsk) => Effect.Effect<RegistrationOutcome, UpstreamUnavailable>
}

type Asked<A> = Effect.Effect<A, FiatRefusal | UpstreamUnavailable>

/** Turns money of banks into stablecoins and back. Every request that makes something can be repeated. */
export interface FiatProvider {
  readonly name: string
  readonly routes: ReadonlyArray<FiatRoute>
  readonly customers: CustomerRegistration
  readonly quote: (ask: FiatAsk) => Asked<FiatOffer>
  readonly openDeposit: (order: FiatOrder) => Asked<OpenedDeposit>
  /** One withdrawal for each quote and destination, however often it is asked for. */
  readonly bindWithdrawal: (ask: FiatAsk, destination: BankDestination, quoteId: string) => Asked<BoundWithdrawal>
  /** The wallet has allowed it or sent the token: the provider takes it and pays. Answers its id of the order. */
  readonly submitWithdrawal: (order: FiatOrder) => Asked<string>
  readonly readCallback: (callback: FiatCallback, nowSeconds: number) => ReadCallback
  readonly look: (
    order: FiatOrder & { readonly providerOrder: string }
  ) => Effect.Effect<FiatReport, UpstreamUnavailable>
}

/** The providers of this service, in the order of preference for equal offers. */
export class FiatProviders extends Context.Service<FiatProviders, ReadonlyArray<FiatProvider>>()(
  "@countersign/core/fiat/FiatProviders"
) {}
