import { Array, DateTime, Schema } from "effect"
import { RequestProblem } from "../foundation/errors/index.ts"

type Problems = Array.NonEmptyReadonlyArray<RequestProblem>

const withPaths = (problems: Problems, nameOf: (path: string) => string): Problems =>
  Array.map(problems, (problem) => ({ ...problem, path: nameOf(problem.path) }))

const sentenceOf = ([{ message, path }]: Problems): string => `${path}: ${message}`

export class FiatQuoteNotFound extends Schema.TaggedError<FiatQuoteNotFound>("core/fiat/FiatQuoteNotFound")(
  "FIAT_QUOTE_NOT_FOUND",
  { quoteId: Schema.String }
) {
  override get message(): string {
    return `There is no quote ${this.quoteId}.`
  }
}

export class FiatQuoteExpired extends Schema.TaggedError<FiatQuoteExpired>("core/fiat/FiatQuoteExpired")(
  "FIAT_QUOTE_EXPIRED",
  { quoteId: Schema.String, expiresAt: Schema.DateTimeUtc }
) {
  override get message(): string {
    return `Quote ${this.quoteId} expired at ${DateTime.formatIso(this.expiresAt)}. Request a new one.`
  }
}

export class FiatQuoteAlreadyUsed extends Schema.TaggedError<FiatQuoteAlreadyUsed>("core/fiat/FiatQuoteAlreadyUsed")(
  "FIAT_QUOTE_ALREADY_USED",
  { quoteId: Schema.String, orderId: Schema.String }
) {
  override get message(): string {
    return `Quote ${this.quoteId} was used for order ${this.orderId}. Request a new quote for another order.`
  }
}

export class FiatCallbackRefused extends Schema.TaggedError<FiatCallbackRefused>("core/fiat/FiatCallbackRefused")(
  "CALLBACK_SIGNATURE_INVALID",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The webhook was rejected: ${this.reason}.`
  }
}

export class FiatOrderNotFound extends Schema.TaggedError<FiatOrderNotFound>("core/fiat/FiatOrderNotFound")(
  "FIAT_ORDER_NOT_FOUND",
  { orderId: Schema.String }
) {
  override get message(): string {
    return `There is no fiat order ${this.orderId}.`
  }
}

export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>("core/fiat/IdentityNotFound")(
  "IDENTITY_NOT_FOUND",
  { identityId: Schema.String }
) {
  override get message(): string {
    return `The project has no verified identity ${this.identityId}.`
  }
}

export class FinancialLimitExceeded extends Schema.TaggedError<FinancialLimitExceeded>(
  "core/fiat/FinancialLimitExceeded"
)("FINANCIAL_LIMIT_EXCEEDED", { limit: Schema.String, left: Schema.String, currency: Schema.String }) {
  override get message(): string {
    return `The ${this.limit} limit has ${this.left} ${this.currency} left. Lower the amount.`
  }
}

export class FailedToCreateFiatDeposit extends Schema.TaggedError<FailedToCreateFiatDeposit>(
  "core/fiat/FailedToCreateFiatDeposit"
)("FAILED_TO_CREATE_FIAT_DEPOSIT", { reason: Schema.String }) {
  override get message(): string {
    return `The deposit order could not be created: ${this.reason}`
  }
}

export class FailedToCreateFiatWithdraw extends Schema.TaggedError<FailedToCreateFiatWithdraw>(
  "core/fiat/FailedToCreateFiatWithdraw"
)("FAILED_TO_CREATE_FIAT_WITHDRAW", { reason: Schema.String }) {
  override get message(): string {
    return `The withdrawal order could not be created: ${this.reason}`
  }
}

/** The identity exists in the project, but its verification is pending, rejected, expired or revoked. */
export class IdentityNotVerified extends Schema.TaggedError<IdentityNotVerified>("core/fiat/IdentityNotVerified")(
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  { problems: Schema.NonEmptyArray(RequestProblem) }
) {
  static of(path: string, { reason, status }: { readonly status: string; readonly reason: string | null }) {
    const suffix = reason === null ? "" : ` (${reason})`
    const message = `The verification of this identity is not complete: its latest session is ${status}${suffix}. Complete it, or start another session after a rejection or an expiry.`
    return new IdentityNotVerified({ problems: [{ path, code: "not_verified", message }] })
  }

  withPaths(nameOf: (path: string) => string): IdentityNotVerified {
    return new IdentityNotVerified({ problems: withPaths(this.problems, nameOf) })
  }

  get report() {
    return { listed: this.problems, omitted: 0 }
  }

  override get message(): string {
    return sentenceOf(this.problems)
  }
}

/** The individual is not an active customer of any fiat provider that serves the request. */
export class FiatCustomerNotReady extends Schema.TaggedError<FiatCustomerNotReady>("core/fiat/FiatCustomerNotReady")(
  "FIAT_CUSTOMER_NOT_READY",
  { problems: Schema.NonEmptyArray(RequestProblem) }
) {
  static of(reasons: ReadonlyArray<string>): FiatCustomerNotReady {
    const message = `The individual is not an active customer of a fiat provider. ${reasons.join(" ")}`
    return new FiatCustomerNotReady({ problems: [{ path: "individualId", code: "customer_not_ready", message }] })
  }

  withPaths(nameOf: (path: string) => string): FiatCustomerNotReady {
    return new FiatCustomerNotReady({ problems: withPaths(this.problems, nameOf) })
  }

  get report() {
    return { listed: this.problems, omitted: 0 }
  }

  override get message(): string {
    return sentenceOf(this.problems)
  }
}
