import type { Address } from "../../foundation/primitives/index.ts"
import type { ConcentratedPool, Pool } from "../liquidity/index.ts"

export interface RouteRequest {
  /** Unique pools, all at the same block. */
  readonly pools: ReadonlyArray<Pool>
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Intermediate tokens that a path may use. */
  readonly hubs: ReadonlyArray<Address>
  /** Base units of tokenIn, above zero. */
  readonly amountIn: bigint
  /** The gas cost of a hop through a pool, in base units of tokenOut; zero if unknown. */
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

/** A part of the amount, with its path. */
export interface RoutePart {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The hops, with the state of the pools before the whole route. */
  readonly hops: ReadonlyArray<HopSwap>
}

/** A swap over pools. It is exact to the last unit if the parts are executed in this order. */
export interface Route {
  /** Largest first. The inputs sum to the requested amount. */
  readonly parts: ReadonlyArray<RoutePart>
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The gas cost of all hops, in base units of tokenOut. */
  readonly gas: bigint
  /** The changed pools after the route, by id. It is a function, because most routes are only compared. */
  readonly poolsAfter: () => ReadonlyMap<string, Pool>
}

/** The pool as given in the request, without the effects of earlier parts of the route. */
export interface MissingTicks {
  readonly pool: ConcentratedPool
  /** The next bitmap word that a swap of the amount needs. */
  readonly word: number
}

export interface Routing {
  /** Null if no path supports the amount. */
  readonly route: Route | null
  /** Unread ticks that could improve the route or make a route possible. Empty if there are no such ticks. */
  readonly missing: ReadonlyArray<MissingTicks>
}

/** The output of a route minus its gas cost. */
export const netOf = ({ amountOut, gas }: Route): bigint => amountOut - gas
