import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** The details of a lending transaction. */
export const LendingDetails = Schema.Struct({
  provider: Schema.String,
  /** Morpho Blue's market id; null for Aave V3. */
  marketId: Schema.NullOr(Schema.String),
  /** As quoted, as a decimal string. Null without debt, and for liquidations. */
  healthFactorBefore: Schema.NullOr(Schema.String),
  healthFactorAfter: Schema.NullOr(Schema.String),
  /** The market's wrapped token, if a leg uses the native token; otherwise absent. */
  wrapped: Schema.optionalKey(Address),
  /** The repaid debt of a liquidation in base units, which is not a movement of the wallet. */
  repaid: Schema.NullOr(Schema.Struct({ token: Address, amount: Schema.BigInt }))
})
export type LendingDetails = typeof LendingDetails.Type

export const lendingDetails = detailsKind("lending", LendingDetails)
