import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { TickRange, TokenAmounts } from "./math/index.ts"

export interface PositionPool {
  readonly address: Address
  /** token0 and token1, in the pool's order. */
  readonly token0: Address
  readonly token1: Address
  /** Millionths of the swapped amount. */
  readonly feePips: number
  readonly tickSpacing: number
  /** The price as a Q64.96 square root: base units of token1 per base unit of token0. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

/** A Uniswap V3 position NFT at one block. Amounts are base units of the pool's tokens. */
export interface Position {
  readonly chainId: EvmChainId
  readonly tokenId: bigint
  /** The NFT contract: Uniswap's NonfungiblePositionManager. */
  readonly manager: Address
  readonly owner: Address
  readonly pool: PositionPool
  readonly range: TickRange
  readonly liquidity: bigint
  /** The amounts that removing all liquidity now would yield, without fees. Rounded down, as in the pool. */
  readonly amounts: TokenAmounts
  /**
   * The amounts that `collect` would pay now: fees, and amounts that were removed but not collected yet. If several
   * NFTs share a range, the pool may pay one base unit less than the position manager owes.
   */
  readonly unclaimed: TokenAmounts
  readonly blockNumber: bigint
}
