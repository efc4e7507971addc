import type { Address } from "../../foundation/primitives/index.ts"
import type { ConcentratedPool, Pool } from "../liquidity/index.ts"

export interface RouteRequest {
  /** Each once, as of one block. */
  readonly pools: ReadonlyArray<Pool>
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Tokens that a path may go over. */
  readonly hubs: ReadonlyArray<Address>
  /** Base units of tokenIn, above zero. */
  readonly amountIn: bigint
  /** The value of the gas of a hop through a pool, in base units of tokenOut; zero where that is not known. */
  readonly gasOf: (pool: Pool) => bigint
}

/** A pool, and the direction that it is gone through. */
export interface Hop {
  readonly pool: Pool
  readonly zeroForOne: boolean
}

/** One to three hops from tokenIn to tokenOut, over tokens that are all different. */
export type Path = ReadonlyArray<Hop>

export interface HopSwap extends Hop {
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** A share of the amount, and the path that it takes. */
export interface RoutePart {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** With the pools as they were before the whole route. */
  readonly hops: ReadonlyArray<HopSwap>
}

/** A swap over pools, exact to the last unit when the parts are executed in this order. */
export interface Route {
  /** Largest first. Their inputs add up to the amount that was asked for. */
  readonly parts: ReadonlyArray<RoutePart>
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** The gas of all hops, in base units of tokenOut. */
  readonly gas: bigint
  /** The pools that the route changes, as it leaves them, by id. A function, because most routes are only compared. */
  readonly poolsAfter: () => ReadonlyMap<string, Pool>
}

/** As it was given, and not as an earlier part of the route would leave it. */
export interface MissingTicks {
  readonly pool: ConcentratedPool
  /** The bitmap word that a swap of the amount goes on to. */
  readonly word: number
}

export interface Routing {
  /** Null where no path takes the amount. */
  readonly route: Route | null
  /** Ticks that could make the route better, or possible. Empty where none could. */
  readonly missing: ReadonlyArray<MissingTicks>
}

/** The output of a route, less its gas. */
export const netOf = ({ amountOut, gas }: Route): bigint => amountOut - gas
