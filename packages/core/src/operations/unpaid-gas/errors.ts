import { Schema } from "effect"

/** The subject of the message, by scope. */
const subjects = {
  wallet: "This wallet",
  owner: "The owner of this wallet",
  project: "This project",
  operator: "This service"
}

const budgets = {
  wallet: "a wallet",
  owner: "an owner",
  project: "a project",
  operator: "all projects together"
}

/**
 * A wallet, its owner, its project or all projects have left, or may leave, more gas unpaid than the operator's limit
 * allows.
 */
export class UnpaidGasLimit extends Schema.TaggedError<UnpaidGasLimit>("core/unpaid-gas/UnpaidGasLimit")(
  "UNPAID_GAS_LIMIT",
  {
    scope: Schema.Literals(["wallet", "owner", "project", "operator"]),
    /**
     * BUSY: another operation of the wallet is pending, or was just accepted. PENDING: pending operations may leave too
     * much gas unpaid, or the owner has a pending first use of a gas token. TOO_LARGE: the operation by itself exceeds
     * the maximum.
     */
    state: Schema.Literals(["STOPPED", "WAITING", "BUSY", "PENDING", "TOO_LARGE"]),
    retryAfterSeconds: Schema.Int
  }
) {
  override get message(): string {
    const subject = subjects[this.scope]
    const retry = `Try again in ${this.retryAfterSeconds} s`
    const sentences = {
      STOPPED: `${subject} has left more gas unpaid than the operator allows. ${retry}, pay gas with the native token, or ask the operator to forgive the unpaid gas.`,
      WAITING: `${subject} has left gas unpaid recently. ${retry}.`,
      BUSY: `${subject} has left gas unpaid, so its operations are accepted one at a time. ${retry}.`,
      PENDING: `${subject} has pending operations that pay gas after their calls, and the gas that they may leave unpaid has reached the limit. ${retry}, or pay gas with the native token.`,
      TOO_LARGE: `This operation pays gas after its calls, and its gas costs more than ${budgets[this.scope]} may leave unpaid per day. Pay gas with the native token, start with a smaller operation that pays gas in this token, or ask the operator for a larger budget.`
    }
    return sentences[this.state]
  }
}
