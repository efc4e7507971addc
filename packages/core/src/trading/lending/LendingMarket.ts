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
  /** The requested market id; null if the request has none. */
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

/** The price of a collateral below which its position can be liquidated if nothing else changes. */
export interface LiquidationPrice {
  readonly token: Address
  /** The price of one whole token, scaled by 10^18, in US dollars or in whole tokens of `inToken`. */
  readonly priceE18: bigint
  readonly inToken: Address | null
}

/** A position and the rates of its market, at one block. */
export interface LendingFigures {
  /**
   * The health factor from the protocol, scaled by 10^18. Null without debt, or if the market's oracle does not
   * respond.
   */
  readonly healthFactorE18: bigint | null
  /** Null without debt, or with several collaterals. */
  readonly liquidationPrice: LiquidationPrice | null
  /**
   * Interest per year without compounding, scaled by 10^18, for the supplied or withdrawn token. Null if the token
   * earns no interest.
   */
  readonly supplyRateE18: bigint | null
  /** Interest per year without compounding, scaled by 10^18, for the borrowed or repaid token. */
  readonly borrowRateE18: bigint | null
}

export interface LendingOutcome {
  readonly before: LendingFigures
  /** Null if a call fails. */
  readonly after: LendingFigures | null
}

/** The receipt of a supply: Aave's aToken, or a position in shares of Morpho Blue. */
export interface LendingReceipt {
  /** The aToken, or the contract that holds the position. */
  readonly token: Address
  /** Base units. */
  readonly amount: bigint
  readonly decimals: number
}

/** A provider's offer for an order, at the state of one block. Its functions capture all data that are not fields. */
export interface LendingOffer {
  /** Null if the provider has a single market. */
  readonly marketId: Hash32 | null
  /** Only for `supply` and `withdraw`. */
  readonly side: LendingSide
  /** The contract that receives and pays out the tokens. */
  readonly contract: Address
  /** The receipt that a supply of this amount creates, or that a withdrawal of this amount burns. */
  readonly receiptOf: (action: "supply" | "withdraw", amount: LendingLeg["amount"]) => LendingReceipt
  /** The base units that a leg with this amount moves at that state: at most the debt or the supply. */
  readonly amountOf: (action: LendingAction, amount: LendingLeg["amount"]) => bigint
  /**
   * The debt in the token of `repay` at a time in Unix seconds. Rounded up, so that it is never below the contract's
   * amount at that time.
   */
  readonly debtAtRoundingUp: (unixSeconds: number) => bigint
  /** The market's token for a leg: the wrapped token for the native token, otherwise the token itself. */
  readonly marketToken: (token: Token) => Token
  /**
   * Builds the calls that execute the legs. `maxDebt` is an upper bound of the debt that `repay` pays. No allowance
   * remains after the calls.
   */
  readonly calls: (legs: LendingLegs, maxDebt: bigint) => ReadonlyArray<Call>
  /** Notices for the owner before signing, as sentences. */
  readonly notices: (legs: LendingLegs) => ReadonlyArray<string>
  /** Simulates calls of the wallet on the latest state, and reads the protocol's figures before and after the calls. */
  readonly outcome: (calls: ReadonlyArray<Call>) => Effect.Effect<LendingOutcome, UpstreamUnavailable>
  /** Why the legs can't be executed, as far as the state shows, as sentences. */
  readonly obstacles: (legs: LendingLegs) => ReadonlyArray<string>
}

/** A provider's market on a chain. Amounts are base units of the loan token. */
export interface LendingMarketInfo {
  readonly marketId: Hash32 | null
  /** The token that can be supplied, and also borrowed if borrowing is enabled. */
  readonly loanToken: Address
  /** The collateral token of loans; null if the market has none. */
  readonly collateralToken: Address | null
  /** The maximum loan-to-value ratio, scaled by 10^18. */
  readonly ltvE18: bigint
  readonly liquidationThresholdE18: bigint
  readonly supplyRateE18: bigint
  readonly borrowRateE18: bigint
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly available: bigint
  /** Null if the market has no supply cap. */
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
  /** Whether the position is collateral for loans. */
  readonly isCollateral: boolean
  /** The health factor of the whole position. Null without debt, or if the market's oracle does not respond. */
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
  /** Reads the state for an order. Fails with a bad request if a token has no market. */
  readonly offer: (order: LendingOrder) => Effect.Effect<LendingOffer, BadRequest | UpstreamUnavailable>
  readonly markets: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<LendingMarketInfo>, UpstreamUnavailable>
  readonly positions: (
    chainId: EvmChainId,
    account: Address
  ) => Effect.Effect<ReadonlyArray<LendingPosition>, UpstreamUnavailable>
  /** Liquidations of these accounts in these blocks, in log order. */
  readonly liquidations: (search: LiquidationSearch) => Effect.Effect<ReadonlyArray<Liquidation>, UpstreamUnavailable>
}

/** All providers. If a request has no chain, `chainIds` are queried. */
export class LendingMarkets extends Context.Service<
  LendingMarkets,
  { readonly providers: ReadonlyArray<LendingMarket>; readonly chainIds: () => ReadonlyArray<EvmChainId> }
>()("@countersign/core/lending/LendingMarkets") {}
