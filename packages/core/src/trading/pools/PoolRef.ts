import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { UsdPriceE18 } from "../../foundation/tokens/index.ts"

/** A pool of Uniswap V3: where it is, and what never changes of it. */
export const PoolRef = Schema.Struct({
  chainId: EvmChainId,
  address: Address,
  token0: Address,
  token1: Address,
  /** In millionths. */
  feePips: Schema.Int
})
export type PoolRef = typeof PoolRef.Type

/** A pool by its place alone. */
export type PoolPlace = Pick<PoolRef, "chainId" | "address">

/** A pool whose tokens are listed, with what is known of their prices. */
export interface PricedPoolRef {
  readonly pool: PoolRef
  readonly tokens: readonly [PricedSide, PricedSide]
}

export interface PricedSide {
  readonly decimals: number
  /** Null where it is not known. */
  readonly price: UsdPriceE18 | null
}
