import { Context, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { PoolPlace, PoolRef } from "./PoolRef.ts"

/** A pool as it is at the latest block. */
export interface PoolState extends PoolRef {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly tickSpacing: number
  /** The liquidity that earns at this price. */
  readonly liquidity: bigint
  /** The protocol's share of the fees in each token: 4 is a quarter, 0 nothing. */
  readonly protocolShares: readonly [number, number]
  /** Base units of each token that the pool has, uncollected fees included. */
  readonly balances: readonly [bigint, bigint]
}

export interface FoundPools {
  /** The fees that the chain's pools can have, in millionths. */
  readonly feeTiers: ReadonlyArray<number>
  readonly pools: ReadonlyArray<PoolState>
}

/** The pools of Uniswap V3, as their chains say. */
export class PoolMarket extends Context.Service<
  PoolMarket,
  {
    /** None where there is no pool at the address, or one that the chain's factory did not make. */
    readonly find: (place: PoolPlace) => Effect.Effect<Option.Option<PoolState>, UpstreamUnavailable>
    /** The pools of pairs of tokens that exist and have a price, of each fee or of one. */
    readonly search: (
      chainId: EvmChainId,
      pairs: ReadonlyArray<readonly [Address, Address]>,
      feePips: number | null
    ) => Effect.Effect<FoundPools, UpstreamUnavailable>
  }
>()("@countersign/core/pools/PoolMarket") {}
