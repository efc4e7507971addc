import { jsonText } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

/** The stage between a deposit's block and its end. */
export const ACROSS_FILL = "across-fill"

export const fillState = jsonText(
  Schema.Struct({
    /** The head of the destination chain at the time of the quote. The fill is in no earlier block. */
    fromBlock: Schema.BigInt,
    /** Seconds from the deposit until the fill, as estimated by the provider. */
    saidSeconds: Schema.Finite
  })
)
