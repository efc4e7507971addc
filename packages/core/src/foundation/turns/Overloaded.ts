import { Schema } from "effect"

/** The project already has the maximum amount of waiting work. */
export class Overloaded extends Schema.TaggedError<Overloaded>("core/turns/Overloaded")("OVERLOADED", {
  retryAfterSeconds: Schema.Int
}) {
  override get message(): string {
    return `This project has reached its limit of waiting requests. Try again in ${this.retryAfterSeconds} s.`
  }
}
