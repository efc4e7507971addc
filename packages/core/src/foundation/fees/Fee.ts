import { Schema } from "effect"
import { WalletAddress } from "../primitives/index.ts"
import { currencyAsset, tokenAsset } from "../tokens/index.ts"

const feeFields = {
  /**
   * SERVICE: `transactionFeePercent`, paid to the project's treasury and the operator. EXTRA: `extraFee`. GAS: the
   * network fee, as a maximum. PROVIDER: the fee of a bridge, an aggregator or a fiat provider. NETWORK: a Bitcoin
   * miner fee.
   */
  type: Schema.Literals(["SERVICE", "EXTRA", "GAS", "PROVIDER", "NETWORK"]),
  /** Amount in base units of a token, or in the smallest units of a currency. */
  amount: Schema.BigInt,
  /** Recipient of the fee. Null if the fee is not paid to an address. */
  toAddress: Schema.NullOr(WalletAddress),
  /** Percentage of the amount before fees. Null if the fee is not a percentage. */
  percentage: Schema.NullOr(Schema.String)
}

/** A fee, in a token or in a currency. */
export const Fee = Schema.Union([
  Schema.Struct({ ...tokenAsset, ...feeFields }),
  Schema.Struct({ ...currencyAsset, ...feeFields })
])
export type Fee = typeof Fee.Type
