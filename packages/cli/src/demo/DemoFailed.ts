import { Schema } from "effect"

/** The walk ends here; the message is what its reader gets. */
export class DemoFailed extends Schema.TaggedError<DemoFailed>("cli/demo/DemoFailed")("DEMO_FAILED", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
