import { Schema } from "effect"

export class ComputeUnitsExhausted extends Schema.TaggedError<ComputeUnitsExhausted>(
  "core/metering/ComputeUnitsExhausted"
)("UNAVAILABLE_COMPUTE_UNITS", { needed: Schema.Int }) {
  override get message(): string {
    return `This request costs ${this.needed} compute units, and the project has fewer left. Ask the operator for more.`
  }
}
