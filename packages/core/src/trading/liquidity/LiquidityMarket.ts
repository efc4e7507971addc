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

/** How an operation is to be executed. Contracts must refuse it past the deadline, or where the price has left the slippage. */
export interface LiquidityTerms {
  /** The account that makes the calls, and gets what is left over. */
  readonly sender: Address
  /** The receiver of the new NFT, or of the withdrawn amounts. */
  readonly recipient: Address
  readonly slippagePercent: number
  /** Unix seconds. */
  readonly deadline: number
}

/** A fee that is a share of what an operation brings out, by who gets it. */
export interface ShareOfOutput {
  readonly recipient: Address
  /** The share of the whole amount, taken before any other fee. */
  readonly share: Ratio
}

/** A deposit into a range. Amounts are base units in the pool's order, exact at its block. */
export interface Placement {
  readonly pool: PositionPool
  readonly range: TickRange
  /** The amounts that the pool takes. */
  readonly amounts: TokenAmounts
  /** The amounts that the swaps before it leave unused. */
  readonly leftovers: TokenAmounts
  readonly liquidity: bigint
  /** Price of the pool after the swaps before it: a Q64.96 root. */
  readonly sqrtPriceX96: bigint
  /** The largest impact of its swaps: a share scaled by 10^18. Zero without a swap. */
  readonly priceImpactE18: bigint
}

/** One token put into a range. */
export interface Deposit extends Placement {
  /** Base units of the token that is given, by what they become. */
  readonly forToken0: bigint
  readonly forToken1: bigint
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** The pool of two tokens and a fee, and the ways to it. */
export interface OpenPool {
  /** Null while it has no price. */
  readonly pool: PositionPool | null
  readonly manager: Address
  readonly address: Address
  readonly tickSpacing: number
  /** Whether the tokens were named in the pool's own order. */
  readonly isInOrder: boolean
  /** `startSqrtPriceX96` is the price that the pool is made with where it has none. */
  readonly deposit: (request: {
    readonly range: TickRange
    /** Base units of the token that is given. */
    readonly amountIn: bigint
    readonly startSqrtPriceX96: bigint | null
  }) => Effect.Effect<Deposit, MarketError>
}

export interface WithdrawRequest {
  /** The share of the liquidity, above zero and at most one. */
  readonly share: Ratio
  readonly tokenOut: Token
  /** Whether the recipient is the position's owner: some chains lack the contract that sends all output to another address. */
  readonly isToOwner: boolean
  readonly fees: ReadonlyArray<ShareOfOutput>
  readonly slippagePercent: number
}

/** A share of a position taken out as one token, with all of its fees. */
export interface Withdrawal {
  readonly liquidity: bigint
  /** The amounts that the pool gives for the liquidity. */
  readonly removed: TokenAmounts
  /** With the fees: all that is swapped. */
  readonly collected: TokenAmounts
  readonly isEmptied: boolean
  /** The amount that the recipient gets, in base units of tokenOut; at least `minAmountOut`, else it fails. */
  readonly amountOut: bigint
  readonly minAmountOut: bigint
  /** Base units of tokenOut for each of the fees. */
  readonly payments: ReadonlyArray<bigint>
  readonly priceImpactE18: bigint
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

export interface RebalanceRequest {
  readonly range: TickRange
  readonly fees: ReadonlyArray<ShareOfOutput>
  readonly slippagePercent: number
}

/** A position put into another range, as a new NFT. */
export interface Rebalancing extends Placement {
  /** The amounts that the pool gives for the old position's liquidity. */
  readonly removed: TokenAmounts
  /** With the fees. */
  readonly collected: TokenAmounts
  /** For each of the fees, of both tokens. */
  readonly payments: ReadonlyArray<TokenAmounts>
  readonly calls: (terms: LiquidityTerms) => ReadonlyArray<Call>
}

/** A position and the ways to and from its tokens, all of one block. */
export interface OpenPosition {
  readonly position: Position
  readonly deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
  readonly withdraw: (request: WithdrawRequest) => Effect.Effect<Withdrawal, MarketError>
  readonly rebalance: (request: RebalanceRequest) => Effect.Effect<Rebalancing, MarketError>
}

/** Anybody can give an account positions, so no more of them are looked at. */
export const MAX_OWNED_POSITIONS = 50

/** Positions of Uniswap V3 on every chain that has it. What it answers is computed on the state of one block. */
export class LiquidityMarket extends Context.Service<
  LiquidityMarket,
  {
    /** A position as it is now. */
    readonly position: (chainId: EvmChainId, tokenId: bigint) => Effect.Effect<Position, MarketError>
    /** The numbers of an account's positions, newest first, as many as `MAX_OWNED_POSITIONS`; none where Uniswap V3 is not. */
    readonly owned: (chainId: EvmChainId, owner: Address) => Effect.Effect<ReadonlyArray<bigint>, UpstreamUnavailable>
    readonly openPool: (request: {
      readonly chainId: EvmChainId
      /** In any order. */
      readonly tokens: readonly [Token, Token]
      /** Millionths. With a fraction it is the fee of no tier. */
      readonly feePips: number
      readonly tokenIn: Token
    }) => Effect.Effect<OpenPool, MarketError>
    /** `token` is the one that is put in or taken out; null for a rebalance, which keeps the pool's own. */
    readonly openPosition: (request: {
      readonly chainId: EvmChainId
      readonly tokenId: bigint
      readonly token: Token | null
    }) => Effect.Effect<OpenPosition, MarketError>
  }
>()("@countersign/core/liquidity/LiquidityMarket") {}
