import { Schema } from "effect"

export class ComputeUnitsExhausted extends Schema.TaggedError<ComputeUnitsExhausted>(
  "core/metering/ComputeUnitsExhausted"
)("UNAVAILABLE_COMPUTE_UNITS", { needed: Schema.Int }) {
  override get message(): string {
    return `This request costs ${this.needed} compute units, but the project has fewer. Ask the operator for more units.`
  }
}
