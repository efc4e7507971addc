import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"

/**
 * What is taken and by whom. SERVICE: transactionFeePercent, to the project's treasury. EXTRA: extraFee. GAS: the
 * network's fee, at most. PROVIDER: a bridge's or aggregator's own. NETWORK: a Bitcoin miner's.
 */
export const Fee = Schema.Struct({
  type: Schema.Literals(["SERVICE", "EXTRA", "GAS", "PROVIDER", "NETWORK"]),
  chainId: ChainId,
  token: Address,
  /** Base units. */
  amount: Schema.BigInt,
  toAddress: Schema.NullOr(Address),
  /** Of the amount before any fee; null where the fee is no percentage. */
  percentage: Schema.NullOr(Schema.String)
})
export type Fee = typeof Fee.Type
