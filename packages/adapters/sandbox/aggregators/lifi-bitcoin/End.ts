import { Schema } from "effect"

/** The payout or refund that ended a deposit, as LI.FI reports it. */
export const End = Schema.Struct({
  deposit: Schema.String,
  /** 0 for Bitcoin. */
  chainId: Schema.Int,
  hash: Schema.String,
  /** In base units. */
  amount: Schema.String,
  isRefund: Schema.Boolean
})
export type End = typeof End.Type
