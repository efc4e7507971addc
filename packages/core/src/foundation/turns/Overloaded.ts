import { Schema } from "effect"

/** Too much work of the project is waiting. */
export class Overloaded extends Schema.TaggedError<Overloaded>("core/turns/Overloaded")("OVERLOADED", {
  retryAfterSeconds: Schema.Int
}) {
  override get message(): string {
    return `This project has reached its limit of waiting requests. Try again in ${this.retryAfterSeconds} s.`
  }
}
