import { Schema } from "effect"

/** The transaction that ended a deposit. */
export const Outbound = Schema.Struct({
  deposit: Schema.String,
  chain: Schema.String,
  id: Schema.String,
  to: Schema.String,
  asset: Schema.String,
  /** In hundred-millionths. */
  amount: Schema.String,
  isRefund: Schema.Boolean
})
export type Outbound = typeof Outbound.Type
