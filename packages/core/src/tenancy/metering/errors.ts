import { Schema } from "effect"

export class ComputeUnitsExhausted extends Schema.TaggedError<ComputeUnitsExhausted>(
  "core/metering/ComputeUnitsExhausted"
)("UNAVAILABLE_COMPUTE_UNITS", { needed: Schema.Int }) {
  override get message(): string {
    return `The project has fewer than the ${this.needed} compute units that this request costs. Ask the operator for more.`
  }
}
