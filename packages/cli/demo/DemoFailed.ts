import { Schema } from "effect"

/** Ends the demo with this message. */
export class DemoFailed extends Schema.TaggedError<DemoFailed>("cli/demo/DemoFailed")("DEMO_FAILED", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
