import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"

const TokenDebt = Schema.Struct({ token: Address, amount: Schema.BigInt })

/** The `details` of a lending transaction. */
export const LendingDetails = Schema.Struct({
  provider: Schema.String,
  /** Morpho Blue's market id; null for Aave V3. */
  marketId: Schema.NullOr(Schema.String),
  /**
   * The health factors before and after the operation, from the quote, as decimal strings. Null if there is no debt, if
   * the market's oracle did not respond, and for liquidations. `healthFactorAfter` is also null if a call reverted in
   * the simulation.
   */
  healthFactorBefore: Schema.NullOr(Schema.String),
  healthFactorAfter: Schema.NullOr(Schema.String),
  /** The wrapped token that the market uses, if a leg uses the native token. Otherwise absent. */
  wrapped: Schema.optionalKey(Address),
  /**
   * The debt that a liquidation repaid, in base units. It is not a movement of the wallet. Null for other transactions.
   */
  repaid: Schema.NullOr(TokenDebt),
  /**
   * The debts that the protocol cancelled in a liquidation, because no collateral was left. Absent for other
   * transactions, and for liquidations that earlier versions recorded.
   */
  cancelled: Schema.optionalKey(Schema.Array(TokenDebt))
})
export type LendingDetails = typeof LendingDetails.Type

export const lendingDetails = detailsKind("lending", LendingDetails)
