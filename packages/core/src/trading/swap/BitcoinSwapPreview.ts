import { Schema } from "effect"
import { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"

/** What a swap's payment on Bitcoin's chain spends and pays, in satoshis. */
export const BitcoinSwapPreview = Schema.Struct({
  inputs: Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int, value: Schema.BigInt })),
  outputs: Schema.Array(
    Schema.Struct({
      /** Null of an output that carries a text. */
      address: Schema.NullOr(BitcoinAddress),
      value: Schema.BigInt,
      /** VAULT: what is swapped. MEMO: what the vault's owners read, and do. */
      role: Schema.Literals(["VAULT", "MEMO", "SERVICE_FEE", "EXTRA_FEE", "CHANGE"]),
      memo: Schema.NullOr(Schema.String)
    })
  ),
  change: Schema.BigInt,
  fee: Schema.BigInt,
  /** Satoshis for 1,000 virtual bytes. What is paid is never less. */
  feeRate: Schema.BigInt,
  virtualSize: Schema.Int
})
export type BitcoinSwapPreview = typeof BitcoinSwapPreview.Type
