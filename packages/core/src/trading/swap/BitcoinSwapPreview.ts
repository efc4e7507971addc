import { Schema } from "effect"
import { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"

/** The inputs and outputs of the Bitcoin payment of a swap, in satoshis. */
export const BitcoinSwapPreview = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, value: Schema.BigInt })),
  outputs: Schema.Array(
    Schema.Struct({
      /** Null for an output without an address, which contains only data. */
      address: Schema.NullOr(BitcoinAddress),
      value: Schema.BigInt,
      /**
       * VAULT: the swapped amount. MEMO: the instruction to the bridge. CHANGE: the remainder, which returns to the
       * wallet.
       */
      role: Schema.Literals(["VAULT", "MEMO", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]),
      memo: Schema.NullOr(Schema.String)
    })
  ),
  change: Schema.BigInt,
  fee: Schema.BigInt,
  /**
   * Satoshis per 1,000 virtual bytes. The actual rate is at least this value, unless the provider selects the UTXOs.
   */
  feeRate: Schema.BigInt,
  virtualSize: Schema.Int
})
export type BitcoinSwapPreview = typeof BitcoinSwapPreview.Type
