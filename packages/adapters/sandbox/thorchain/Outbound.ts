import { Schema } from "effect"

/** The transaction that completed or refunded a deposit. */
export const Outbound = Schema.Struct({
  deposit: Schema.String,
  chain: Schema.String,
  id: Schema.String,
  to: Schema.String,
  asset: Schema.String,
  /** In units of 1e-8. */
  amount: Schema.String,
  isRefund: Schema.Boolean
})
export type Outbound = typeof Outbound.Type
