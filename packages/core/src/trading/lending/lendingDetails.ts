import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** The `details` of a lending transaction. */
export const LendingDetails = Schema.Struct({
  provider: Schema.String,
  /** Morpho Blue's market id; null for Aave V3. */
  marketId: Schema.NullOr(Schema.String),
  /** The quoted health factor, as a decimal string. Null if there was no debt, and for liquidations. */
  healthFactorBefore: Schema.NullOr(Schema.String),
  healthFactorAfter: Schema.NullOr(Schema.String),
  /** The wrapped token that the market uses, if a leg uses the native token. Otherwise absent. */
  wrapped: Schema.optionalKey(Address),
  /** The debt that a liquidation repaid, in base units. It is not a movement of the wallet. */
  repaid: Schema.NullOr(Schema.Struct({ token: Address, amount: Schema.BigInt }))
})
export type LendingDetails = typeof LendingDetails.Type

export const lendingDetails = detailsKind("lending", LendingDetails)
