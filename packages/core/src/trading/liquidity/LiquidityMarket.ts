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
 * The terms under which an operation may execute. The calls must revert after the deadline, and if the price moves by
 * more than the slippage.
 */
export interface LiquidityTerms {
  /** The account that executes the calls and receives unused amounts. */
  readonly sender: Address
  /** The account that receives the new NFT or the withdrawn amount. */
  readonly recipient: Address
  readonly slippagePercent: number
  /** Unix seconds. */
  readonly deadline: number
}

/** A fee that is a share of the output, with its receiver. */
export interface OutputFee {
  readonly recipient: Address
  /** Fraction of the output before any fees. */
  readonly share: Ratio
}

/**
 * The result of depositing liquidity in a range. Amounts are in base units, in the pool's token order, and exact for
 * the block.
 */
export interface Placement {
  readonly pool: PositionPool
  readonly range: TickRange
  /** The amounts that the pool receives. */
  readonly amounts: TokenAmounts
  /** The amounts that remain unused after the swaps. */
  readonly leftovers: TokenAmounts
  readonly liquidity: bigint
  /** The pool's price after the swaps, as a Q64.96 square root. */
  readonly sqrtPriceX96: bigint
  /** The highest price impact among the swaps, as a fraction scaled by 10^18. Zero if there are no swaps. */
  readonly priceImpactE18: bigint
}

/** A deposit of one token into a range. */
export interface Deposit extends Placement {
  /** The shares of the deposited token that become token0 and token1, in base units of the deposited token. */
  readonly forToken0: bigint
  readonly forToken1: bigint
  readonly buildCalls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** The pool for two tokens and a fee tier. `deposit` also swaps the deposited token into the pool's tokens. */
export interface OpenPool {
  /** Null if the pool is not initialized. */
  readonly pool: PositionPool | null
  readonly manager: Address
  readonly address: Address
  readonly tickSpacing: number
  /** Whether the request lists the tokens in the pool's order. */
  readonly isInOrder: boolean
  /** `startSqrtPriceX96` is the initial price of a pool that is not initialized. */
  readonly deposit: (request: {
    readonly range: TickRange
    /** Base units of the deposited token. */
    readonly amountIn: bigint
    readonly startSqrtPriceX96: bigint | null
  }) => Effect.Effect<Deposit, MarketError>
}

export interface WithdrawRequest {
  /** The withdrawn share of the liquidity: above zero and at most one. */
  readonly share: Ratio
  readonly tokenOut: Token
  /**
   * Whether the recipient owns the position. If not, a second contract must forward the output. Some chains do not have
   * this contract.
   */
  readonly isToOwner: boolean
  readonly fees: ReadonlyArray<OutputFee>
  readonly slippagePercent: number
}

/** The withdrawal of a share of a position, and of all its unclaimed fees, as one token. */
export interface Withdrawal {
  readonly liquidity: bigint
  /** The amounts that the removed liquidity yields, without fees. */
  readonly removed: TokenAmounts
  /** The removed amounts plus the position's uncollected fees. These amounts are swapped. */
  readonly collected: TokenAmounts
  readonly isEmptied: boolean
  /** The amount that the recipient receives, in base units of `tokenOut`. The call reverts below `minAmountOut`. */
  readonly amountOut: bigint
  readonly minAmountOut: bigint
  /** The amount of each fee in `fees`, in base units of `tokenOut`. */
  readonly payments: ReadonlyArray<bigint>
  readonly priceImpactE18: bigint
  readonly buildCalls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

export interface RebalanceRequest {
  readonly range: TickRange
  readonly fees: ReadonlyArray<OutputFee>
  readonly slippagePercent: number
}

/** A move of a position to another price range. The new position is a new NFT. */
export interface Rebalancing extends Placement {
  /** The amounts that the old position's liquidity yields, without fees. */
  readonly removed: TokenAmounts
  /** The removed amounts plus the old position's uncollected fees. */
  readonly collected: TokenAmounts
  /** The amounts of each fee, in both tokens of the pool. */
  readonly payments: ReadonlyArray<TokenAmounts>
  readonly buildCalls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** A position at one block, and its operations, which include the necessary swaps. */
export interface OpenPosition {
  readonly position: Position
  readonly deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
  readonly withdraw: (request: WithdrawRequest) => Effect.Effect<Withdrawal, MarketError>
  readonly rebalance: (request: RebalanceRequest) => Effect.Effect<Rebalancing, MarketError>
}

/**
 * Maximum number of positions that are read per account. Without a limit, anyone could slow down the reads by sending
 * many positions to an account.
 */
export const MAX_OWNED_POSITIONS = 50

/** Uniswap V3 positions on all chains that have Uniswap V3. Results are computed from the state of one block. */
export class LiquidityMarket extends Context.Service<
  LiquidityMarket,
  {
    /** Returns the current state of a position. */
    readonly readPosition: (chainId: EvmChainId, tokenId: bigint) => Effect.Effect<Position, MarketError>
    /**
     * Returns the ids of an account's positions, newest first, at most `MAX_OWNED_POSITIONS`. Empty on chains without
     * Uniswap V3.
     */
    readonly listOwned: (
      chainId: EvmChainId,
      owner: Address
    ) => Effect.Effect<ReadonlyArray<bigint>, UpstreamUnavailable>
    readonly openPool: (request: {
      readonly chainId: EvmChainId
      /** In any order. */
      readonly tokens: readonly [Token, Token]
      /** The fee in millionths (hundredths of a basis point). All fee tiers are integers in this unit. */
      readonly feePips: number
      readonly tokenIn: Token
    }) => Effect.Effect<OpenPool, MarketError>
    /** `token` is the deposited or withdrawn token. Null for a rebalance, which keeps both tokens of the pool. */
    readonly openPosition: (request: {
      readonly chainId: EvmChainId
      readonly tokenId: bigint
      readonly token: Token | null
    }) => Effect.Effect<OpenPosition, MarketError>
  }
>()("@countersign/core/liquidity/LiquidityMarket") {}
