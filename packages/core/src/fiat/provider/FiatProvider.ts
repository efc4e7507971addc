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

/** A direction and a payment method, with the tokens and chains for which the provider serves them. */
export interface FiatRoute {
  readonly direction: FiatDirection
  readonly method: FiatMethod
  readonly symbols: ReadonlyArray<string>
  readonly chainIds: ReadonlyArray<EvmChainId>
}

/** A request to a provider. */
export interface FiatProviderRequest {
  readonly projectId: ProjectId
  readonly direction: FiatDirection
  readonly method: FiatMethod
  readonly currency: string
  readonly token: Token
  readonly chainId: EvmChainId
  readonly walletAddress: Address
  readonly individualId: IndividualId
  /** Input amount: in the smallest units of the currency for a deposit, in base units of the token for a withdrawal. */
  readonly amount: bigint
}

/**
 * A provider's offer. A withdrawal's offer is binding once the destination is set. The output of a deposit is an
 * estimate: the wallet receives the amount that the provider sends.
 */
export interface FiatOffer {
  readonly providerQuote: string
  readonly fiatAmount: bigint
  readonly tokenAmount: bigint
  readonly fees: ReadonlyArray<Fee>
  readonly expiresAt: DateTime.Utc
}

/** A deposit that waits for the fiat payment. */
export interface OpenedDeposit {
  readonly providerOrder: string
  readonly instructions: DepositInstructions
  readonly expiresAt: DateTime.Utc
}

/** A withdrawal that waits for the wallet's token. */
export interface BoundWithdrawal {
  readonly providerQuote: string
  readonly fiatAmount: bigint
  /** APPROVE: the owner grants the provider an allowance to collect the token. TRANSFER: the owner sends the token. */
  readonly erc20Call: "APPROVE" | "TRANSFER"
  /** The account that collects the token from the wallet, or receives it. */
  readonly recipient: Address
  readonly tokenAmount: bigint
  /** The time until which the provider accepts the withdrawal. Null if it does not expire. */
  readonly expiresAt: DateTime.Utc | null
}

/** The provider's report on an order. */
export interface FiatReport {
  readonly state: FiatOrderState
  /**
   * The reported token transfer: to the wallet for a deposit, from the wallet for a withdrawal. Null if the provider
   * reported none.
   */
  readonly transactionHash: Hash32 | null
  /**
   * The transfer that returned the token. UNNAMED if the provider reports a return, but not its transfer: the service
   * then searches for the transfer, and the order is FAILED if it finds none. Null if the provider reports no return.
   */
  readonly returnHash: Hash32 | "UNNAMED" | null
  /** The fiat amount that was paid in or out, in the smallest units of the currency. Null if it was not reported. */
  readonly fiatAmount: bigint | null
  readonly reason: string | null
}

/** The provider rejects the request permanently, so a retry would also fail. */
export class FiatRefusal extends Schema.TaggedError<FiatRefusal>("core/fiat/FiatRefusal")("FIAT_REFUSAL", {
  provider: Schema.String,
  reason: Schema.String,
  /**
   * The request field that caused the rejection, such as `paymentMethod.beneficiaryName`. Absent if no single field
   * caused it.
   */
  field: Schema.optionalKey(Schema.String),
  /** True if the individual is not a customer, or if the customer is not allowed to use the currency. */
  isCustomerMissing: Schema.optionalKey(Schema.Boolean)
}) {
  override get message(): string {
    return `${this.provider}: ${this.reason}`
  }
}

/** A webhook of a provider: headers with lower-case names, and the raw body. */
export interface FiatCallback {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/**
 * The content of a webhook. If it is authentic: the provider's ids of the order and the customer, or null if it
 * contains no such id. Otherwise the reason why it is not authentic.
 */
export type CallbackContent =
  | { readonly _tag: "Genuine"; readonly providerOrder: string | null; readonly customer: string | null }
  | { readonly _tag: "Refused"; readonly reason: string }

export interface RegistrationRequest {
  readonly registration: ProviderRegistration
  readonly session: VerificationSession
  /** Decrypts the session's personal data, and records that the provider receives them. Null after they were erased. */
  readonly personalData: Effect.Effect<PersonalData | null>
  /** The data that were submitted for this provider after the approval. Null if none were submitted. */
  readonly submission: Submission | null
}

/** Registers identities as customers of a provider. */
export interface CustomerRegistration {
  /** Returns whether the provider accepts customers from this country. */
  readonly serves: (country: Country) => boolean
  /**
   * Returns the provider's page on which the customer accepts its terms. The page redirects to the URL, with the id of
   * the agreement. Null if the provider requires no agreement.
   */
  readonly termsLink: ((redirectUrl: string | null) => ProviderEffect<string>) | null
  /**
   * Registers the identity as a customer if it is not one yet, links the customer, and returns its status. A repeated
   * call, also after a crash, creates no second customer.
   */
  readonly register: (request: RegistrationRequest) => Effect.Effect<RegistrationOutcome, UpstreamUnavailable>
}

type ProviderEffect<A> = Effect.Effect<A, FiatRefusal | UpstreamUnavailable>

/** Converts fiat to stablecoins and stablecoins to fiat. Requests that create an order are idempotent. */
export interface FiatProvider {
  readonly name: string
  readonly routes: ReadonlyArray<FiatRoute>
  readonly customers: CustomerRegistration
  readonly quote: (request: FiatProviderRequest) => ProviderEffect<FiatOffer>
  readonly openDeposit: (order: FiatOrder) => ProviderEffect<OpenedDeposit>
  /** Creates a withdrawal. A repeated call with the same quote and destination returns the same withdrawal. */
  readonly bindWithdrawal: (
    request: FiatProviderRequest,
    destination: BankDestination,
    quoteId: string
  ) => ProviderEffect<BoundWithdrawal>
  /**
   * Notifies the provider that the wallet has granted the allowance or sent the token. The provider then collects the
   * token and pays out. Returns the provider's order id.
   */
  readonly submitWithdrawal: (order: FiatOrder) => ProviderEffect<string>
  readonly readCallback: (callback: FiatCallback, nowSeconds: number) => CallbackContent
  readonly readOrderReport: (
    order: FiatOrder & { readonly providerOrder: string }
  ) => Effect.Effect<FiatReport, UpstreamUnavailable>
}

/** The configured providers. Between equal offers, the provider that comes first is preferred. */
export class FiatProviders extends Context.Service<FiatProviders, ReadonlyArray<FiatProvider>>()(
  "@countersign/core/fiat/FiatProviders"
) {}
