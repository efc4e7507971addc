import { Schema } from "effect"

/** Whose losses are meant, as a sentence begins. */
const subjects = { wallet: "This wallet", owner: "The owner of this wallet", project: "This project" }

/** A wallet, its owner or its project has cost the operator more than it may without paying. */
export class UnpaidGasLimit extends Schema.TaggedError<UnpaidGasLimit>("core/losses/UnpaidGasLimit")(
  "UNPAID_GAS_LIMIT",
  {
    scope: Schema.Literals(["wallet", "owner", "project"]),
    /** BUSY: another operation of the wallet is under way, or was just accepted. */
    state: Schema.Literals(["STOPPED", "WAITING", "BUSY"]),
    retryAfterSeconds: Schema.Int
  }
) {
  override get message(): string {
    const subject = subjects[this.scope]
    const retry = `Try again in ${this.retryAfterSeconds} s`
    const sentences = {
      STOPPED: `${subject} has left more gas unpaid than the operator allows. ${retry}, pay gas with the chain's coin, or ask the operator to forgive it.`,
      WAITING: `${subject} has just left gas unpaid. ${retry}.`,
      BUSY: `${subject} has left gas unpaid: for now its operations are accepted one at a time. ${retry}.`
    }
    return sentences[this.state]
  }
}
