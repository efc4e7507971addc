import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { LendingProviderId, LendingSide } from "./LendingRequest.ts"
import type { LendingAction } from "./LendingType.ts"

export interface LendingLeg {
  readonly token: Token
  /** Base units. */
  readonly amount: bigint | "MAX"
  /** The side that the request names; null where it names none. */
  readonly marketId: Hash32 | null
  readonly side: LendingSide | null
}

export type LendingLegs = { readonly [Action in LendingAction]?: LendingLeg }

export interface LendingOrder {
  readonly chainId: EvmChainId
  /** The wallet. */
  readonly account: Address
  readonly legs: LendingLegs
}

/** The price of a collateral at which its position can be liquidated, all else being equal. */
export interface LiquidationPrice {
  readonly token: Address
  /** For one whole token, scaled by 10^18: in US dollars, or in whole tokens of `inToken`. */
  readonly priceE18: bigint
  readonly inToken: Address | null
}

/** A position, and the market that it is in, at one block. */
export interface LendingFigures {
  /** The protocol's own figure, scaled by 10^18; null without debt, and where the market's oracle does not answer. */
  readonly healthFactorE18: bigint | null
  /** Null without debt, and where several collaterals share in it in a way that is not known. */
  readonly liquidationPrice: LiquidationPrice | null
  /** Per year without compounding, scaled by 10^18. Of what is supplied or withdrawn; null where that earns nothing. */
  readonly supplyRateE18: bigint | null
  /** The same of what is borrowed or repaid. */
  readonly borrowRateE18: bigint | null
}

export interface LendingOutcome {
  readonly before: LendingFigures
  /** Null where a call fails. */
  readonly after: LendingFigures | null
}

/** The claim on what is supplied: Aave's aToken, or a position that Morpho Blue counts in shares. */
export interface LendingReceipt {
  /** The aToken, or the contract that holds the position. */
  readonly token: Address
  /** Base units. */
  readonly amount: bigint
  readonly decimals: number
}

/** A provider's offer for an order, on the state of one block. All else that it knows is in its functions. */
export interface LendingOffer {
  /** Null where the provider has one market for everything. */
  readonly marketId: Hash32 | null
  /** Only for `supply` and `withdraw`. */
  readonly side: LendingSide
  /** The contract that takes and gives the tokens. */
  readonly contract: Address
  /** What a supply of this amount is recorded as, or a withdrawal of it takes away. */
  readonly receiptOf: (action: "supply" | "withdraw", amount: LendingLeg["amount"]) => LendingReceipt
  /** Base units that a leg of this amount moves on that state: no more than there is to repay or to withdraw. */
  readonly amountOf: (action: LendingAction, amount: LendingLeg["amount"]) => bigint
  /** The debt in the token of `repay` at a time in Unix seconds. Rounded up, and never below what the contract takes then. */
  readonly debtAtRoundingUp: (unixSeconds: number) => bigint
  /** The token that the market has for one of a leg: the wrapped form of the native token, any other token itself. */
  readonly marketToken: (token: Token) => Token
  /**
   * The calls of the legs. `legs` are those of the order, some with smaller amounts, and `mostDebt` is the most that the debt of
   * `repay` can be. No allowance remains after them.
   */
  readonly calls: (legs: LendingLegs, mostDebt: bigint) => ReadonlyArray<Call>
  /** What the owner should know before signing, in sentences. */
  readonly notices: (legs: LendingLegs) => ReadonlyArray<string>
  /** Runs calls on the latest state in the wallet's name, and reads the protocol's figures before and after them. */
  readonly outcome: (calls: ReadonlyArray<Call>) => Effect.Effect<LendingOutcome, UpstreamUnavailable>
  /** Why legs can't be executed, as far as the state tells, in sentences. */
  readonly obstacles: (legs: LendingLegs) => ReadonlyArray<string>
}

/** A market that the provider offers on a chain. Amounts are base units of the loan token. */
export interface LendingMarketInfo {
  readonly marketId: Hash32 | null
  /** Can be supplied, and borrowed where that is enabled. */
  readonly loanToken: Address
  /** The collateral token of loans; null where the market has none. */
  readonly collateralToken: Address | null
  /** Shares scaled by 10^18. */
  readonly ltvE18: bigint
  readonly liquidationThresholdE18: bigint
  readonly supplyRateE18: bigint
  readonly borrowRateE18: bigint
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly available: bigint
  /** Null where there is none. */
  readonly supplyCap: bigint | null
  readonly borrowCap: bigint | null
  readonly canSupply: boolean
  readonly canBorrow: boolean
}

/** A wallet's supply to a market, or its debt there. */
export interface LendingPosition {
  readonly type: "supply" | "borrow"
  readonly marketId: Hash32 | null
  readonly token: Address
  /** Base units, interest included. */
  readonly amount: bigint
  /** Whether it secures loans. */
  readonly isCollateral: boolean
  /** Health factor of the whole position; null without debt, and where the market's oracle does not answer. */
  readonly healthFactorE18: bigint | null
}

/** A liquidation as the chain has it. Amounts are base units. */
export interface Liquidation {
  readonly account: Address
  readonly liquidator: Address
  readonly collateralToken: Address
  readonly collateralAmount: bigint
  readonly debtToken: Address
  readonly debtAmount: bigint
  readonly marketId: Hash32 | null
  readonly contract: Address
  readonly transactionHash: Hash32
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: Hash32
  /** Unix seconds. */
  readonly blockTimestamp: number
}

export interface LiquidationSearch {
  readonly chainId: EvmChainId
  readonly accounts: ReadonlyArray<Address>
  /** Both included. */
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A place where tokens are lent. */
export interface LendingMarket {
  readonly id: LendingProviderId
  /** The name for people. */
  readonly name: string
  readonly serves: (chainId: EvmChainId) => boolean
  /** Reads what the order is about. Tokens that it has no market for are the caller's mistake. */
  readonly offer: (order: LendingOrder) => Effect.Effect<LendingOffer, BadRequest | UpstreamUnavailable>
  readonly markets: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<LendingMarketInfo>, UpstreamUnavailable>
  readonly positions: (
    chainId: EvmChainId,
    account: Address
  ) => Effect.Effect<ReadonlyArray<LendingPosition>, UpstreamUnavailable>
  /** Liquidations of these accounts in these blocks, in their order. */
  readonly liquidations: (search: LiquidationSearch) => Effect.Effect<ReadonlyArray<Liquidation>, UpstreamUnavailable>
}

/** Every provider, and the chains that are looked at where none is named. */
export class LendingMarkets extends Context.Service<
  LendingMarkets,
  { readonly providers: ReadonlyArray<LendingMarket>; readonly chainIds: () => ReadonlyArray<EvmChainId> }
>()("@countersign/core/lending/LendingMarkets") {}
