import { jsonText } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

/** The stage between a deposit's block and the end of it. */
export const ACROSS_FILL = "across-fill"

export const fillState = jsonText(
  Schema.Struct({
    /** The block of the other chain when it was quoted: its fill is in no earlier one. */
    fromBlock: Schema.BigInt,
    /** From the deposit until the fill, by the provider's word. */
    saidSeconds: Schema.Finite
  })
)
