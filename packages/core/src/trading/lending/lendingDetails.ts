import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

/** A transaction's details of a loan. */
export const LendingDetails = Schema.Struct({
  provider: Schema.String,
  /** Morpho Blue's id of the market; null of Aave V3. */
  marketId: Schema.NullOr(Schema.String),
  /** As quoted, decimal; null without debt, and of liquidations. */
  healthFactorBefore: Schema.NullOr(Schema.String),
  healthFactorAfter: Schema.NullOr(Schema.String),
  /** The token that the market has for the native token of a leg; absent where no leg is in that. */
  wrapped: Schema.optionalKey(Address),
  /** For a liquidation: the debt that was repaid, in base units. It moved nothing of the wallet. */
  repaid: Schema.NullOr(Schema.Struct({ token: Address, amount: Schema.BigInt }))
})
export type LendingDetails = typeof LendingDetails.Type

export const lendingDetails = detailsKind("lending", LendingDetails)
