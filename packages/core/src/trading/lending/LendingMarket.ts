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
  /** The requested market id. Null if the request does not contain one. */
  readonly marketId: Hash32 | null
  readonly side: LendingSide | null
}

export type LendingLegs = { readonly [Action in LendingAction]?: LendingLeg }

export interface LendingTerms {
  readonly chainId: EvmChainId
  /** The wallet's address. */
  readonly account: Address
  readonly legs: LendingLegs
}

/** The collateral price at which the position becomes liquidatable, if nothing else changes. */
export interface LiquidationPrice {
  readonly token: Address
  /** The price of one token unit (not base unit), scaled by 10^18, in US dollars or in units of `inToken`. */
  readonly priceE18: bigint
  readonly inToken: Address | null
}

/** The state of a position and the rates of its market, at one block. */
export interface LendingFigures {
  /**
   * The health factor that the protocol reports, scaled by 10^18. Null if there is no debt, or if the market's oracle
   * does not respond.
   */
  readonly healthFactorE18: bigint | null
  /**
   * Null if there is no debt, if the market's oracle does not respond, or if no single collateral price can cause a
   * liquidation. Also null in an Aave eMode with several collateral tokens.
   */
  readonly liquidationPrice: LiquidationPrice | null
  /**
   * Annual interest rate of the supplied or withdrawn token, without compounding, scaled by 10^18. Null if the token
   * earns no interest.
   */
  readonly supplyRateE18: bigint | null
  /**
   * Annual interest rate of the debt token, without compounding, scaled by 10^18. Null if the request does not
   * determine a debt token.
   */
  readonly borrowRateE18: bigint | null
}

export interface LendingOutcome {
  readonly before: LendingFigures
  /** Null if a call reverts in the simulation. */
  readonly after: LendingFigures | null
}

/** The receipt of a supply: Aave's aToken, or a position in shares of a Morpho Blue market. */
export interface LendingReceipt {
  /** The aToken, or the contract that holds the position. */
  readonly token: Address
  /** Base units. */
  readonly amount: bigint
  readonly decimals: number
}

/** A provider's offer for a lending request, based on the state at one block. */
export interface LendingOffer {
  /** Null if the provider has a single market. */
  readonly marketId: Hash32 | null
  /** The side of the market that a supply or withdrawal uses. Without meaning for other operations. */
  readonly side: LendingSide
  /** The contract that receives the wallet's tokens and pays tokens to it. */
  readonly contract: Address
  /** Returns the receipt that a supply of this amount creates, or that a withdrawal of this amount burns. */
  readonly receiptOf: (action: "supply" | "withdraw", amount: LendingLeg["amount"]) => LendingReceipt
  /**
   * Returns the amount in base units that a leg moves at that block. A repayment is limited to the debt, a withdrawal
   * to the supply.
   */
  readonly amountOf: (action: LendingAction, amount: LendingLeg["amount"]) => bigint
  /**
   * Returns the debt in the token of `repay` at a time in Unix seconds. Rounded up, so that it is never below the debt
   * that the contract computes for that time.
   */
  readonly debtAtRoundingUp: (unixSeconds: number) => bigint
  /**
   * Returns the token that the market uses for a leg's token: the wrapped token for the native token, otherwise the
   * same token.
   */
  readonly marketTokenOf: (token: Token) => Token
  /** Builds the calls for `legs`, whose amounts already exclude the gas fee. */
  readonly buildCalls: (legs: LendingLegs, maxDebt: bigint) => ReadonlyArray<Call>
  /** Returns notices that the owner should read before signing, as sentences. */
  readonly noticesOf: (legs: LendingLegs) => ReadonlyArray<string>
  /** Simulates the wallet's calls on the latest state, and reads the protocol's figures before and after them. */
  readonly simulateOutcome: (calls: ReadonlyArray<Call>) => Effect.Effect<LendingOutcome, UpstreamUnavailable>
  /** Returns the reasons, as sentences, why the legs can't be executed in the state of that block. */
  readonly conflictsOf: (legs: LendingLegs) => ReadonlyArray<string>
}

/** A provider's market on a chain. Amounts are base units of the loan token. */
export interface LendingMarketInfo {
  readonly marketId: Hash32 | null
  /** The token that can be supplied. It can also be borrowed if borrowing is enabled. */
  readonly loanToken: Address
  /** The collateral token. Null if the market has none. */
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
  /** Whether the protocol counts the position as collateral. */
  readonly isCollateral: boolean
  /**
   * The health factor of the wallet's complete position in the market. Null if there is no debt, or if the market's
   * oracle does not respond.
   */
  readonly healthFactorE18: bigint | null
}

/** An on-chain liquidation. Amounts are in base units. */
export interface Liquidation {
  readonly account: Address
  readonly liquidator: Address
  readonly collateralToken: Address
  readonly collateralAmount: bigint
  readonly debtToken: Address
  /** The debt that the liquidator repaid. */
  readonly debtAmount: bigint
  /** Debts that the protocol cancelled without a repayment, because the account has no collateral left. */
  readonly cancelledDebts: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>
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
  /** Reads the state that a lending request needs. Fails with a bad request if a token has no market. */
  readonly offer: (order: LendingTerms) => Effect.Effect<LendingOffer, BadRequest | UpstreamUnavailable>
  readonly listMarkets: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<LendingMarketInfo>, UpstreamUnavailable>
  readonly listPositions: (
    chainId: EvmChainId,
    account: Address
  ) => Effect.Effect<ReadonlyArray<LendingPosition>, UpstreamUnavailable>
  /** Returns the liquidations of these accounts in these blocks, in log order. */
  readonly listLiquidations: (
    search: LiquidationSearch
  ) => Effect.Effect<ReadonlyArray<Liquidation>, UpstreamUnavailable>
}

/** All lending providers. `chainIds` are the chains that are queried if a request does not specify a chain. */
export class LendingMarkets extends Context.Service<
  LendingMarkets,
  { readonly providers: ReadonlyArray<LendingMarket>; readonly chainIds: () => ReadonlyArray<EvmChainId> }
>()("@countersign/core/lending/LendingMarkets") {}
