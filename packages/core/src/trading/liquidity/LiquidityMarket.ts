import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Ratio } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { LiquidityRefusal } from "./errors.ts"
import type { TickRange, TokenAmounts } from "./math/index.ts"
import type { Position, PositionPool } from "./Position.ts"

export type MarketError = LiquidityRefusal | UpstreamUnavailable

/**
 * The execution terms of an operation. Contracts must reject it after the deadline, or if the price is outside the
 * slippage.
 */
export interface LiquidityTerms {
  /** The account that makes the calls, and receives unused amounts. */
  readonly sender: Address
  /** The receiver of the new NFT, or of the withdrawn amounts. */
  readonly recipient: Address
  readonly slippagePercent: number
  /** Unix seconds. */
  readonly deadline: number
}

/** A fee as a share of the output, with its receiver. */
export interface ShareOfOutput {
  readonly recipient: Address
  /** The fraction of the whole amount, before other fees. */
  readonly share: Ratio
}

/** A deposit into a range. Amounts are base units in the pool's order, exact at its block. */
export interface Placement {
  readonly pool: PositionPool
  readonly range: TickRange
  /** The amounts that the pool receives. */
  readonly amounts: TokenAmounts
  /** The amounts that remain unused after the swaps. */
  readonly leftovers: TokenAmounts
  readonly liquidity: bigint
  /** The pool's price after the swaps: a Q64.96 square root. */
  readonly sqrtPriceX96: bigint
  /** The largest impact of the swaps: a fraction scaled by 10^18. Zero without a swap. */
  readonly priceImpactE18: bigint
}

/** A deposit of one token into a range. */
export interface Deposit extends Placement {
  /** Base units of the deposited token, by the token that they become. */
  readonly forToken0: bigint
  readonly forToken1: bigint
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** The pool of two tokens and a fee, with the routes to it. */
export interface OpenPool {
  /** Null while it has no price. */
  readonly pool: PositionPool | null
  readonly manager: Address
  readonly address: Address
  readonly tickSpacing: number
  /** Whether the requested tokens are in the pool's order. */
  readonly isInOrder: boolean
  /** `startSqrtPriceX96` is the initial price if the pool has none. */
  readonly deposit: (request: {
    readonly range: TickRange
    /** Base units of the deposited token. */
    readonly amountIn: bigint
    readonly startSqrtPriceX96: bigint | null
  }) => Effect.Effect<Deposit, MarketError>
}

export interface WithdrawRequest {
  /** The share of the liquidity, above zero and at most one. */
  readonly share: Ratio
  readonly tokenOut: Token
  /**
   * Whether the recipient is the position's owner: some chains lack the contract that sends all output to another
   * address.
   */
  readonly isToOwner: boolean
  readonly fees: ReadonlyArray<ShareOfOutput>
  readonly slippagePercent: number
}

/** A withdrawal of a share of a position as one token, with all of its fees. */
export interface Withdrawal {
  readonly liquidity: bigint
  /** The amounts from the removed liquidity. */
  readonly removed: TokenAmounts
  /** Including fees: the amounts that are swapped. */
  readonly collected: TokenAmounts
  readonly isEmptied: boolean
  /** The amount that the recipient gets, in base units of tokenOut. The call fails below `minAmountOut`. */
  readonly amountOut: bigint
  readonly minAmountOut: bigint
  /** The amount of each fee, in base units of tokenOut. */
  readonly payments: ReadonlyArray<bigint>
  readonly priceImpactE18: bigint
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

export interface RebalanceRequest {
  readonly range: TickRange
  readonly fees: ReadonlyArray<ShareOfOutput>
  readonly slippagePercent: number
}

/** A position moved to another range, as a new NFT. */
export interface Rebalancing extends Placement {
  /** The amounts from the old position's liquidity. */
  readonly removed: TokenAmounts
  /** Including fees. */
  readonly collected: TokenAmounts
  /** The amounts of each fee, in both tokens. */
  readonly payments: ReadonlyArray<TokenAmounts>
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** A position with the routes to and from its tokens, at one block. */
export interface OpenPosition {
  readonly position: Position
  readonly deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
  readonly withdraw: (request: WithdrawRequest) => Effect.Effect<Withdrawal, MarketError>
  readonly rebalance: (request: RebalanceRequest) => Effect.Effect<Rebalancing, MarketError>
}

/** Maximum number of positions read per account, because any account can send positions to any other. */
export const MAX_OWNED_POSITIONS = 50

/** Uniswap V3 positions on every chain with Uniswap V3. Results are computed on the state of one block. */
export class LiquidityMarket extends Context.Service<
  LiquidityMarket,
  {
    /** The current state of a position. */
    readonly position: (chainId: EvmChainId, tokenId: bigint) => Effect.Effect<Position, MarketError>
    /**
     * The ids of an account's positions, newest first, at most `MAX_OWNED_POSITIONS`; none on chains without Uniswap
     * V3.
     */
    readonly owned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<bigint>, UpstreamUnavailable>
    readonly openPool: (request: {
      readonly chainId: EvmChainId
      /** In any order. */
      readonly tokens: readonly [Token, Token]
      /** In millionths. A fraction belongs to no fee tier. */
      readonly feePips: number
      readonly tokenIn: Token
    }) => Effect.Effect<OpenPool, MarketError>
    /** `token` is deposited or withdrawn; null for a rebalance, which keeps the pool's tokens. */
    readonly openPosition: (request: {
      readonly chainId: EvmChainId
      readonly tokenId: bigint
      readonly token: Token | null
    }) => Effect.Effect<OpenPosition, MarketError>
  }
>()("@countersign/core/liquidity/LiquidityMarket") {}
