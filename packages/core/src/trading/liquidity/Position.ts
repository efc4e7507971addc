import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { TickRange, TokenAmounts } from "./math/index.ts"

/** The pool of a position. */
export interface PositionPool {
  readonly address: Address
  /** In the pool's own order. */
  readonly token0: Address
  readonly token1: Address
  /** Millionths of what is swapped. */
  readonly feePips: number
  readonly tickSpacing: number
  /** Q64.96 root of base units of token1 for one of token0. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

/** A position NFT of Uniswap V3 at one block. Amounts are base units of the pool's tokens. */
export interface Position {
  readonly chainId: EvmChainId
  readonly tokenId: bigint
  /** The contract of the NFT: Uniswap's NonfungiblePositionManager. */
  readonly manager: Address
  readonly owner: Address
  readonly pool: PositionPool
  readonly range: TickRange
  readonly liquidity: bigint
  /** The amounts for removing the liquidity now, without fees. Rounded down, as the pool rounds. */
  readonly amounts: TokenAmounts
  /**
   * The amounts that collecting would pay now: fees, and withdrawn amounts that were not collected. Where several NFTs share a
   * range the pool can owe a unit less than the position manager does, and it is the pool that pays.
   */
  readonly unclaimed: TokenAmounts
  readonly blockNumber: bigint
}
