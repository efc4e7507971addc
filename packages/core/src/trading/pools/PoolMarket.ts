import { Context, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { PoolAddress, PoolRef } from "./PoolRef.ts"

/** The state of a pool at the latest block. */
export interface PoolState extends PoolRef {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly tickSpacing: number
  /** The active liquidity at the current price. */
  readonly liquidity: bigint
  /** The protocol's share of the fees in token0 and token1, as a denominator: 4 means one quarter, 0 means none. */
  readonly protocolShares: readonly [number, number]
  /** The pool's balances in base units, including uncollected fees. */
  readonly balances: readonly [bigint, bigint]
}

export interface PoolSearchResult {
  /** The fee tiers that the chain's factory supports, in millionths. */
  readonly feeTiers: ReadonlyArray<number>
  readonly pools: ReadonlyArray<PoolState>
}

/** Reads Uniswap V3 pools from their chains. */
export class PoolMarket extends Context.Service<
  PoolMarket,
  {
    /**
     * Returns the pool's state. `None` if the address is not a pool, or if the chain's factory did not create the pool.
     */
    readonly find: (poolAddress: PoolAddress) => Effect.Effect<Option.Option<PoolState>, UpstreamUnavailable>
    /** Finds the initialized pools of the token pairs, with one fee tier or with any (`feePips` null). */
    readonly search: (
      chainId: EvmChainId,
      pairs: ReadonlyArray<readonly [Address, Address]>,
      feePips: number | null
    ) => Effect.Effect<PoolSearchResult, UpstreamUnavailable>
  }
>()("@countersign/core/pools/PoolMarket") {}
