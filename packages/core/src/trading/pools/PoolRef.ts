import { Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { UsdPriceE18 } from "../../foundation/tokens/index.ts"

/** A Uniswap V3 pool: its chain, its address and its immutable fields. */
export const PoolRef = Schema.Struct({
  chainId: EvmChainId,
  address: Address,
  token0: Address,
  token1: Address,
  /** In millionths. */
  feePips: Schema.Int
})
export type PoolRef = typeof PoolRef.Type

/** A pool's chain and address. */
export type PoolAddress = Pick<PoolRef, "chainId" | "address">

/** A pool of listed tokens, with the token prices. */
export interface PricedPoolRef {
  readonly pool: PoolRef
  readonly tokens: readonly [PricedToken, PricedToken]
}

export interface PricedToken {
  readonly decimals: number
  /** Null if the price is unknown. */
  readonly price: UsdPriceE18 | null
}
