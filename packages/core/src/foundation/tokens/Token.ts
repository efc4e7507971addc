import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"

/** A token that the service lists on one chain. The native token has the address `NATIVE_TOKEN`. */
export const Token = Schema.Struct({
  chainId: ChainId,
  address: Address,
  name: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 77 })),
  /** Whether it is a tokenized real-world asset. A swap of such a token requires a verified individual. */
  realWorldAsset: Schema.Boolean
})
export type Token = typeof Token.Type
