import { Context, type Effect, Schema } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { Address } from "../primitives/index.ts"
import type { Token } from "../tokens/index.ts"
import type { Call } from "../user-operations/index.ts"

/** The provider has no way from one token to the other for this amount. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>("core/swap/RouteNotFound")("ROUTE_NOT_FOUND", {
  provider: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.provider} has no route: ${this.reason}`
  }
}

export interface RouteRequest {
  readonly chainId: EvmChainId
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Base units of tokenIn. */
  readonly amountIn: bigint
}

export interface RouteHop {
  readonly pool: Address
  readonly feePips: number
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** A way through a provider's pools, as it is at one block. */
export interface Route extends RouteRequest {
  readonly blockNumber: bigint
  /** Base units of tokenOut that executing at that block gives. */
  readonly amountOut: bigint
  readonly hops: ReadonlyArray<RouteHop>
}

export interface RouteExecution {
  /** The account that makes the calls. */
  readonly sender: Address
  readonly recipient: Address
  /** Base units; the contracts revert below it. */
  readonly minAmountOut: bigint
  /** Unix seconds; the contracts revert after it. */
  readonly deadline: number
}

/** A place where tokens are swapped on one chain. */
export interface SwapProvider {
  /** The name on the wire. */
  readonly id: string
  /** The name for people. */
  readonly name: string
  readonly serves: (chainId: EvmChainId) => boolean
  readonly route: (request: RouteRequest) => Effect.Effect<Route, RouteNotFound | UpstreamUnavailable>
  /** The same tokens for another amount at the route's own block, without asking the chain. */
  readonly reroute: (route: Route, amountIn: bigint) => Effect.Effect<Route, RouteNotFound | UpstreamUnavailable>
  /** The calls that swap: allowance and trade. */
  readonly calls: (route: Route, execution: RouteExecution) => ReadonlyArray<Call>
}

/** Every provider that the service asks, in the order in which equal quotes are preferred. */
export class SwapProviders extends Context.Service<SwapProviders, ReadonlyArray<SwapProvider>>()(
  "@countersign/core/swap/SwapProviders"
) {}
