import { jsonText } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

/** The stage between a deposit's block and its end. */
export const ACROSS_FILL = "across-fill"

export const fillState = jsonText(
  Schema.Struct({
    /** Head of the destination chain at the time of the quote. The fill can't be in an earlier block. */
    fromBlock: Schema.BigInt,
    /** Provider's estimate of the seconds between deposit and fill. */
    saidSeconds: Schema.Finite
  })
)
