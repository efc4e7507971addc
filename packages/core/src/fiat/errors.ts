import { DateTime, Schema } from "effect"

export class FiatQuoteNotFound extends Schema.TaggedError<FiatQuoteNotFound>("core/fiat/FiatQuoteNotFound")(
  "FIAT_QUOTE_NOT_FOUND",
  { quoteId: Schema.String }
) {
  override get message(): string {
    return `There is no such quote ${this.quoteId}.`
  }
}

export class FiatQuoteExpired extends Schema.TaggedError<FiatQuoteExpired>("core/fiat/FiatQuoteExpired")(
  "FIAT_QUOTE_EXPIRED",
  { quoteId: Schema.String, expiresAt: Schema.DateTimeUtc }
) {
  override get message(): string {
    return `Quote ${this.quoteId} expired at ${DateTime.formatIso(this.expiresAt)}. Ask for a new one.`
  }
}

export class FiatQuoteAlreadyUsed extends Schema.TaggedError<FiatQuoteAlreadyUsed>("core/fiat/FiatQuoteAlreadyUsed")(
  "FIAT_QUOTE_ALREADY_USED",
  { quoteId: Schema.String, orderId: Schema.String }
) {
  override get message(): string {
    return `Quote ${this.quoteId} has become order ${this.orderId}. Ask for a new quote to make another.`
  }
}

export class FiatCallbackRefused extends Schema.TaggedError<FiatCallbackRefused>("core/fiat/FiatCallbackRefused")(
  "CALLBACK_SIGNATURE_INVALID",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The message is not taken: ${this.reason}.`
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
    return `The ${this.limit} limit leaves ${this.left} ${this.currency}.`
  }
}

export class FailedToCreateFiatDeposit extends Schema.TaggedError<FailedToCreateFiatDeposit>(
  "core/fiat/FailedToCreateFiatDeposit"
)("FAILED_TO_CREATE_FIAT_DEPOSIT", { reason: Schema.String }) {
  override get message(): string {
    return `The deposit could not be made: ${this.reason}`
  }
}

export class FailedToCreateFiatWithdraw extends Schema.TaggedError<FailedToCreateFiatWithdraw>(
  "core/fiat/FailedToCreateFiatWithdraw"
)("FAILED_TO_CREATE_FIAT_WITHDRAW", { reason: Schema.String }) {
  override get message(): string {
    return `The withdrawal could not be made: ${this.reason}`
  }
}
