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
  /** The requested market id; null if none is requested. */
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

/** The price of a collateral at which its position can be liquidated if everything else stays the same. */
export interface LiquidationPrice {
  readonly token: Address
  /** The price of one whole token, scaled by 10^18: in US dollars, or in whole tokens of `inToken`. */
  readonly priceE18: bigint
  readonly inToken: Address | null
}

/** A position with its market's rates, at one block. */
export interface LendingFigures {
  /**
   * The protocol's own health factor, scaled by 10^18; null without debt, and if the market's oracle does not answer.
   */
  readonly healthFactorE18: bigint | null
  /** Null without debt, and if there are several collaterals. */
  readonly liquidationPrice: LiquidationPrice | null
  /**
   * Interest per year without compounding, scaled by 10^18, for the supplied or withdrawn token; null if it earns none.
   */
  readonly supplyRateE18: bigint | null
  /** The same for the borrowed or repaid token. */
  readonly borrowRateE18: bigint | null
}

export interface LendingOutcome {
  readonly before: LendingFigures
  /** Null if a call fails. */
  readonly after: LendingFigures | null
}

/** The receipt for a supply: Aave's aToken, or a position in shares of Morpho Blue. */
export interface LendingReceipt {
  /** The aToken, or the contract that holds the position. */
  readonly token: Address
  /** Base units. */
  readonly amount: bigint
  readonly decimals: number
}

/** A provider's offer for an order, at the state of one block. Its functions capture all other data. */
export interface LendingOffer {
  /** Null if the provider has a single market. */
  readonly marketId: Hash32 | null
  /** Only for `supply` and `withdraw`. */
  readonly side: LendingSide
  /** The contract that receives and pays out the tokens. */
  readonly contract: Address
  /** The receipt that a supply of this amount creates, or that a withdrawal burns. */
  readonly receiptOf: (action: "supply" | "withdraw", amount: LendingLeg["amount"]) => LendingReceipt
  /** The base units that a leg of this amount moves at that state: at most the debt or the supply. */
  readonly amountOf: (action: LendingAction, amount: LendingLeg["amount"]) => bigint
  /**
   * The debt in the token of `repay` at a time in Unix seconds. Rounded up, and never below the contract's amount at
   * that time.
   */
  readonly debtAtRoundingUp: (unixSeconds: number) => bigint
  /** The market's token for a leg: the wrapped form of the native token, any other token unchanged. */
  readonly marketToken: (token: Token) => Token
  /**
   * The calls of the legs. `legs` are those of the order, some with reduced amounts, and `mostDebt` is an upper bound
   * of the debt of `repay`. No allowance remains afterwards.
   */
  readonly calls: (legs: LendingLegs, mostDebt: bigint) => ReadonlyArray<Call>
  /** Notices for the owner before signing, as sentences. */
  readonly notices: (legs: LendingLegs) => ReadonlyArray<string>
  /** Simulates calls from the wallet on the latest state, and reads the protocol's figures before and after them. */
  readonly outcome: (calls: ReadonlyArray<Call>) => Effect.Effect<LendingOutcome, UpstreamUnavailable>
  /** Why legs cannot be executed, as far as the state shows it, as sentences. */
  readonly obstacles: (legs: LendingLegs) => ReadonlyArray<string>
}

/** A provider's market on a chain. Amounts are base units of the loan token. */
export interface LendingMarketInfo {
  readonly marketId: Hash32 | null
  /** The token that is supplied, and borrowed if that is enabled. */
  readonly loanToken: Address
  /** The collateral token of loans; null if the market has none. */
  readonly collateralToken: Address | null
  /** A fraction, scaled by 10^18. */
  readonly ltvE18: bigint
  readonly liquidationThresholdE18: bigint
  readonly supplyRateE18: bigint
  readonly borrowRateE18: bigint
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly available: bigint
  /** Null if there is none. */
  readonly supplyCap: bigint | null
  readonly borrowCap: bigint | null
  readonly canSupply: boolean
  readonly canBorrow: boolean
}

/** A wallet's supply or debt in a market. */
export interface LendingPosition {
  readonly type: "supply" | "borrow"
  readonly marketId: Hash32 | null
  readonly token: Address
  /** In base units, including interest. */
  readonly amount: bigint
  /** Whether it is collateral for loans. */
  readonly isCollateral: boolean
  /** The health factor of the whole position; null without debt, and if the market's oracle does not answer. */
  readonly healthFactorE18: bigint | null
}

/** An on-chain liquidation. Amounts are in base units. */
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
  /** Both block numbers are inclusive. */
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** A lending protocol. */
export interface LendingMarket {
  readonly id: LendingProviderId
  /** The display name. */
  readonly name: string
  readonly serves: (chainId: EvmChainId) => boolean
  /** Reads the state for an order. Fails with a bad request for tokens without a market. */
  readonly offer: (order: LendingOrder) => Effect.Effect<LendingOffer, BadRequest | UpstreamUnavailable>
  readonly markets: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<LendingMarketInfo>, UpstreamUnavailable>
  readonly positions: (
    chainId: EvmChainId,
    account: Address
  ) => Effect.Effect<ReadonlyArray<LendingPosition>, UpstreamUnavailable>
  /** Liquidations of these accounts in these blocks, in log order. */
  readonly liquidations: (search: LiquidationSearch) => Effect.Effect<ReadonlyArray<Liquidation>, UpstreamUnavailable>
}

/** All providers, and the chains that are queried if the request has none. */
export class LendingMarkets extends Context.Service<
  LendingMarkets,
  { readonly providers: ReadonlyArray<LendingMarket>; readonly chainIds: () => ReadonlyArray<EvmChainId> }
>()("@countersign/core/lending/LendingMarkets") {}
