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
      STOPPED: `${subject} has cost the operator more gas than it may without paying for it. ${retry}, pay gas with the chain's coin, or ask the operator to forgive it.`,
      WAITING: `${subject} has just cost the operator gas without paying for it. ${retry}.`,
      BUSY: `${subject} has cost the operator gas without paying for it: until that has faded, operations are accepted one at a time. ${retry}.`
    }
    return sentences[this.state]
  }
}
