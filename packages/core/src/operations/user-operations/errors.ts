import { DateTime, Schema } from "effect"
import { Address, Hash32 } from "../../foundation/primitives/index.ts"
import { Authorization } from "../../foundation/signing/index.ts"
import { RevertReason } from "./UserOperation.ts"

export class UserOperationNotFound extends Schema.TaggedError<UserOperationNotFound>(
  "core/user-operations/UserOperationNotFound"
)("USER_OPERATION_NOT_FOUND", { hash: Hash32 }) {
  override get message(): string {
    return `There is no user operation ${this.hash}. Use the hash from a quote.`
  }
}

export class UserOperationExpired extends Schema.TaggedError<UserOperationExpired>(
  "core/user-operations/UserOperationExpired"
)("USER_OPERATION_EXPIRED", { hash: Hash32, expiresAt: Schema.DateTimeUtc }) {
  override get message(): string {
    return `User operation ${this.hash} expired at ${DateTime.formatIso(this.expiresAt)}. Request a new quote and sign it.`
  }
}

/** The owner's transaction count has changed since the quote, so the chain would ignore the signed tuple. */
export class AuthorizationStale extends Schema.TaggedError<AuthorizationStale>(
  "core/user-operations/AuthorizationStale"
)("AUTHORIZATION_STALE", { authorization: Authorization }) {
  override get message(): string {
    return "The EIP-7702 authorization no longer matches the owner's transaction count. Sign the `authorization` in this error and execute the quote again, or request a new quote."
  }
}

/** The account differs from the definition of its type, so the operator might not be reimbursed for its operations. */
export class AccountChanged extends Schema.TaggedError<AccountChanged>("core/user-operations/AccountChanged")(
  "ACCOUNT_CHANGED",
  { walletAddress: Address, change: Schema.String }
) {
  override get message(): string {
    return `The account ${this.walletAddress} was changed after its creation: ${this.change}. The service does not execute its operations. Undo the change, or use another wallet.`
  }
}

/** The operation would revert now, or conflicts with a pending payment. It was not sent, so it cost nothing. */
export class QuoteStale extends Schema.TaggedError<QuoteStale>("core/user-operations/QuoteStale")("QUOTE_STALE", {
  hash: Hash32,
  reason: RevertReason,
  /** LATER: the same quote may be executable after other operations have ended. */
  remedy: Schema.Literals(["NEW_QUOTE", "LATER"])
}) {
  override get message(): string {
    const remedy =
      this.remedy === "NEW_QUOTE"
        ? "Request a new quote."
        : "Execute it again when the other operations have ended, or request a new quote."
    return `Operation ${this.hash} was not sent, because it would fail now: ${this.reason.decoded}. ${remedy}`
  }
}
