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
 * The execution terms of an operation. Contracts must reject it after the deadline, and if the price differs by more
 * than the slippage.
 */
export interface LiquidityTerms {
  /** The account that makes the calls and receives unused amounts. */
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
  /** The fraction of the full output, before other fees. */
  readonly share: Ratio
}

/** A deposit into a range. Amounts are in base units in the pool's token order, and exact for its block. */
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
  /** The highest price impact of the swaps, as a fraction scaled by 10^18. Zero without swaps. */
  readonly priceImpactE18: bigint
}

/** A deposit of one token into a range. */
export interface Deposit extends Placement {
  /** Base units of the deposited token, by the token that they are swapped to. */
  readonly forToken0: bigint
  readonly forToken1: bigint
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** The pool of two tokens and a fee tier. `deposit` includes swaps of one token into the pool's tokens. */
export interface OpenPool {
  /** Null if the pool has no price yet. */
  readonly pool: PositionPool | null
  readonly manager: Address
  readonly address: Address
  readonly tickSpacing: number
  /** Whether the requested tokens are in the pool's order. */
  readonly isInOrder: boolean
  /** `startSqrtPriceX96` is the initial price for a pool without a price. */
  readonly deposit: (request: {
    readonly range: TickRange
    /** Base units of the deposited token. */
    readonly amountIn: bigint
    readonly startSqrtPriceX96: bigint | null
  }) => Effect.Effect<Deposit, MarketError>
}

export interface WithdrawRequest {
  /** The withdrawn share of the liquidity, above zero and at most one. */
  readonly share: Ratio
  readonly tokenOut: Token
  /**
   * Whether the recipient owns the position. If not, another contract must forward the output, which some chains do not
   * have.
   */
  readonly isToOwner: boolean
  readonly fees: ReadonlyArray<ShareOfOutput>
  readonly slippagePercent: number
}

/** A withdrawal of a share of a position, and of all its fees, as one token. */
export interface Withdrawal {
  readonly liquidity: bigint
  /** The amounts from the removed liquidity. */
  readonly removed: TokenAmounts
  /** The swapped amounts: the removed amounts and the fees. */
  readonly collected: TokenAmounts
  readonly isEmptied: boolean
  /** The amount that the recipient receives, in base units of tokenOut. The call fails below `minAmountOut`. */
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

/** A position that is moved to another range, as a new NFT. */
export interface Rebalancing extends Placement {
  /** The amounts from the old position's liquidity. */
  readonly removed: TokenAmounts
  /** The removed amounts and the fees. */
  readonly collected: TokenAmounts
  /** The amounts of each fee, in both tokens. */
  readonly payments: ReadonlyArray<TokenAmounts>
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** A position at one block. Its functions include swaps to and from its tokens. */
export interface OpenPosition {
  readonly position: Position
  readonly deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
  readonly withdraw: (request: WithdrawRequest) => Effect.Effect<Withdrawal, MarketError>
  readonly rebalance: (request: RebalanceRequest) => Effect.Effect<Rebalancing, MarketError>
}

/** Maximum number of positions that are read per account, because any account can send positions to any other. */
export const MAX_OWNED_POSITIONS = 50

/** Uniswap V3 positions on all chains that have Uniswap V3. Results are computed on the state of one block. */
export class LiquidityMarket extends Context.Service<
  LiquidityMarket,
  {
    /** The current state of a position. */
    readonly position: (chainId: EvmChainId, tokenId: bigint) => Effect.Effect<Position, MarketError>
    /**
     * The ids of an account's positions, newest first, at most `MAX_OWNED_POSITIONS`. Empty on chains without Uniswap
     * V3.
     */
    readonly owned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<bigint>, UpstreamUnavailable>
    readonly openPool: (request: {
      readonly chainId: EvmChainId
      /** In any order. */
      readonly tokens: readonly [Token, Token]
      /** In millionths. No fee tier has a fraction. */
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
