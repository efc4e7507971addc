import { Schema } from "effect"

/** Too much work of the project waits for its turn. */
export class Overloaded extends Schema.TaggedError<Overloaded>("core/turns/Overloaded")("OVERLOADED", {
  retryAfterSeconds: Schema.Int
}) {
  override get message(): string {
    return `This project has as many requests waiting for their turn as it may. Try again in ${this.retryAfterSeconds} s.`
  }
}
