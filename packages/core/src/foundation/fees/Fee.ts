import { Schema } from "effect"
import { WalletAddress } from "../primitives/index.ts"
import { currencyAsset, tokenAsset } from "../tokens/index.ts"

const feeFields = {
  /**
   * Who takes the fee. SERVICE: transactionFeePercent, to the project's treasury. EXTRA: extraFee. GAS: the
   * network's fee, at most. PROVIDER: a bridge's, an aggregator's or a bank's own. NETWORK: a Bitcoin miner's.
   */
  type: Schema.Literals(["SERVICE", "EXTRA", "GAS", "PROVIDER", "NETWORK"]),
  /** Base units of a token; the smallest units of a currency. */
  amount: Schema.BigInt,
  /** Null where the fee goes to no address. */
  toAddress: Schema.NullOr(WalletAddress),
  /** Of the amount before any fee; null where the fee is no percentage. */
  percentage: Schema.NullOr(Schema.String)
}

/** A fee, in a token or in a currency. */
export const Fee = Schema.Union([
  Schema.Struct({ ...tokenAsset, ...feeFields }),
  Schema.Struct({ ...currencyAsset, ...feeFields })
])
export type Fee = typeof Fee.Type
