import type { Address } from "../../foundation/primitives/index.ts"
import type { ConcentratedPool, Pool } from "../liquidity/index.ts"

export interface RouteRequest {
  /** Unique pools, all at the same block. */
  readonly pools: ReadonlyArray<Pool>
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Tokens that a path may use between tokenIn and tokenOut. */
  readonly hubs: ReadonlyArray<Address>
  /** Base units of tokenIn, above zero. */
  readonly amountIn: bigint
  /** Returns the gas cost of a hop through a pool, in base units of tokenOut. Zero if unknown. */
  readonly gasOf: (pool: Pool) => bigint
}

/** A pool with the direction of the swap. */
export interface Hop {
  readonly pool: Pool
  readonly zeroForOne: boolean
}

/** One to three hops from tokenIn to tokenOut, without repeated tokens. */
export type Path = ReadonlyArray<Hop>

export interface HopSwap extends Hop {
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** A share of the amount, with its path. */
export interface RoutePart {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The hops of the path. Each pool is in its state before the route. */
  readonly hops: ReadonlyArray<HopSwap>
}

/** A swap through pools. Its amounts are exact to the last base unit if the parts are executed in this order. */
export interface Route {
  /** Largest first. Their inputs add up to the requested amount. */
  readonly parts: ReadonlyArray<RoutePart>
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The gas cost of all hops, in base units of tokenOut. */
  readonly gas: bigint
  /**
   * Returns the pools that the route changes, in their state after it, by id. It is a function because most routes are
   * only compared.
   */
  readonly poolsAfter: () => ReadonlyMap<string, Pool>
}

/**
 * Ticks that were not read. `pool` is the pool as in the request, without the effects of earlier parts of the route.
 */
export interface MissingTicks {
  readonly pool: ConcentratedPool
  /** The next bitmap word that a swap of the amount needs. */
  readonly word: number
}

export interface Routing {
  /** Null if the pools of no path have enough liquidity for the amount. */
  readonly route: Route | null
  /** Unread ticks that could improve the route or make one possible. */
  readonly missing: ReadonlyArray<MissingTicks>
}

/** Returns the output of a route minus its gas cost. */
export const netOf = ({ amountOut, gas }: Route): bigint => amountOut - gas
