import { Context, type Effect, Schema } from "effect"
import type { TransferClaims } from "../../../accounting/history/index.ts"
import type { FeeRate, Output } from "../../../bitcoin/chain/index.ts"
import type { FixedCoins } from "../../../bitcoin/payments/index.ts"
import type { ChainId } from "../../../foundation/chains/index.ts"
import type { RequestProblem, UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import type { Fee, FeePayment, FeeShare } from "../../../foundation/fees/index.ts"
import { Address, type BitcoinAddress, Hash32, WalletAddress } from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"
import type { Stage } from "../../../operations/executions/index.ts"
import type { Intent } from "../../../operations/intents/index.ts"
import type { PlannedStage } from "../../../operations/quotes/index.ts"
import type { Call, ChainReader } from "../../../operations/user-operations/index.ts"
import type { Account } from "../../../wallets/registry/index.ts"
import type { OfferRun } from "./OfferRun.ts"

/** The provider has no route between the tokens for this amount. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>("core/swap/RouteNotFound")("ROUTE_NOT_FOUND", {
  provider: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.provider} has no route: ${this.reason}`
  }
}

export type OfferError = RouteNotFound | UpstreamUnavailable

/** The terms of a limit order. */
export interface OrderLimit {
  /** Base units of tokenOut. */
  readonly minAmountOut: bigint
  /** Counted from the quote; null if the order book decides. */
  readonly expirationSeconds: number | null
  readonly partialFillable: boolean
  /** The smart account that places the order; null for another wallet. */
  readonly account: Account | null
  readonly recipient: WalletAddress
  /** The fees as shares of the traded amount. */
  readonly feeShares: ReadonlyArray<FeeShare>
}

export interface OfferRequest {
  /** Each token has its own chain. */
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  /** FIRST: a good route fast. BEST: the highest output after gas, possibly split. Defaults to FIRST. */
  readonly objective?: "FIRST" | "BEST"
  /** The sender and receiver of a cross-chain swap outside of a batch. Some bridges price by them. */
  readonly parties?: { readonly sender: WalletAddress; readonly recipient: WalletAddress }
  /** Null for a market swap. */
  readonly limit: OrderLimit | null
}

/** A hop of the route, for display. */
export const RouteHop = Schema.Struct({
  /** Name of the venue, such as `Uniswap V3`. */
  venue: Schema.String,
  /** The contract of the hop: a pool, a pool manager, a bridge, an order book. An address on Bitcoin. */
  through: WalletAddress,
  /** The pool id if the contract has several; else null. */
  poolId: Schema.NullOr(Hash32),
  /** The fee in millionths of the amount; null if it is not a fraction. */
  feePips: Schema.NullOr(Schema.Int),
  tokenIn: Address,
  tokenOut: Address
})
export type RouteHop = typeof RouteHop.Type

/** A part of the amount, with its path. Amounts are in base units of the route's two tokens. */
export const RoutePart = Schema.Struct({
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  hops: Schema.Array(RouteHop)
})
export type RoutePart = typeof RoutePart.Type

/** The parts of an amount, largest first; they sum to the offer's amounts. Empty if the route is not known. */
export const Route = Schema.Array(RoutePart)
export type Route = typeof Route.Type

/** The contracts that receive tokenIn and pay out tokenOut; null if parts differ, or if not known. */
export const endsOf = (route: Route): { readonly first: WalletAddress | null; readonly last: WalletAddress | null } => {
  const common = (place: 0 | -1): WalletAddress | null => {
    const [one, ...others] = new Set(route.map(({ hops }) => hops.at(place)?.through ?? null))
    return others.length === 0 ? (one ?? null) : null
  }
  return { first: common(0), last: common(-1) }
}

export interface OfferTerms {
  /** The wallet, which makes the calls. */
  readonly sender: WalletAddress
  /** The account whose key signs: the owner of a smart account, or the Bitcoin wallet itself. */
  readonly signer: WalletAddress
  readonly recipient: WalletAddress
  /** Base units; the execution must fail below this output. */
  readonly minAmountOut: bigint
  /** Unix seconds; the execution must fail after this time. */
  readonly deadline: number
}

/** The Bitcoin payment of an offer. */
export interface OfferPayment {
  /** In this order, before the request's fees and the wallet's change. */
  readonly outputs: ReadonlyArray<OfferOutput>
  /** The minimum fee rate per 1,000 virtual bytes; null for none. */
  readonly leastFeeRate: FeeRate | null
  /** The required confirmations before the offer's stages begin. */
  readonly confirmations: number
  /** Unix milliseconds when the provider's deposit address expires. */
  readonly broadcastUntilMs: number
  /** The UTXOs and change, if the provider has chosen them; otherwise this service selects them. */
  readonly fixed?: FixedCoins
}

export interface OfferOutput extends Output {
  readonly role: "VAULT" | "MEMO"
  /** Null if the script has no address. */
  readonly address: BitcoinAddress | null
  /** The text in the output; null for none. */
  readonly memo: string | null
}

/** The intent that an offer needs. */
export type OfferIntent =
  /** Calls, which are combined with fees and gas in one user operation. */
  | {
      readonly _tag: "Calls"
      readonly calls: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Call>, OfferError>
      /** The intents that are signed besides the operation and follow it, such as an order that it approves. */
      readonly after?: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
      /**
       * Fails if a simulation shows forbidden effects of the calls: for calls that the provider did not create itself.
       */
      readonly check?: (run: OfferRun, terms: OfferTerms) => Effect.Effect<void, RouteNotFound>
    }
  /** A payment from a Bitcoin wallet. Its outputs sum to the offer's amount. */
  | {
      readonly _tag: "BitcoinPayment"
      readonly payment: (terms: OfferTerms) => Effect.Effect<OfferPayment, OfferError>
    }
  /** An intent of its own, which pays the fees itself, from the amount beyond the offer's. */
  | {
      readonly _tag: "Intents"
      readonly intents: (
        terms: OfferTerms,
        payments: ReadonlyArray<FeePayment>
      ) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
    }

/**
 * A provider's offer for an amount. Its functions capture all data beyond its fields, so that copies of an offer
 * (wrapped, logged or cached) stay valid.
 */
export interface Offer extends OfferRequest {
  /** Base units of tokenOut. */
  readonly amountOut: bigint
  /**
   * EXACT: the output at the state of the computation. FLOOR: a lower bound. EXPECTED: a third party's figure; only the
   * minimum output is enforced.
   */
  readonly certainty: "EXACT" | "FLOOR" | "EXPECTED"
  /** The block of the computation; null if not applicable. */
  readonly blockNumber: bigint | null
  readonly route: Route
  /**
   * The price impact compared with the pools' mid price before, without fees: a fraction scaled by 10^18. Null or
   * absent if the provider does not know it.
   */
  readonly priceImpactE18?: bigint | null
  /** The provider's fee, already deducted from `amountOut`. */
  readonly fees: ReadonlyArray<Fee>
  /** Whether the provider collects the request's fees, as listed in `fees`, so that the whole amount is traded. */
  readonly takesFees?: boolean
  /**
   * The token that arrives instead of tokenOut, such as the wrapped native token; absent if tokenOut itself arrives.
   */
  readonly arrivesAs?: Token
  /** The account that may send something else if the swap fails on another chain; absent if there is none. */
  readonly arrivesFrom?: Address
  /** Notices for the owner before signing, as sentences. */
  readonly notices?: ReadonlyArray<string>
  /** From the signature until tokenOut arrives. */
  readonly executionSeconds: number
  /** The stages between the block of the user operation (or the signature, if there is none) and the end. */
  readonly stages: ReadonlyArray<PlannedStage>
  /** The same offer for another amount, on the same state if possible. */
  readonly forAmount: (amountIn: bigint) => Effect.Effect<Offer, OfferError>
  /**
   * The provider's offer for another request after this offer was executed in the same operation; null if it cannot
   * compute it.
   */
  readonly afterwards: ((request: OfferRequest) => Effect.Effect<Offer, OfferError>) | null
  readonly intent: OfferIntent
}

/** A pool, or all pools of an exchange, that a provider knows and does not use. */
export const SkippedPool = Schema.Struct({
  /** Name of the exchange, such as `Uniswap V4`. */
  venue: Schema.String,
  /** The pool's id; null for all pools of the exchange, or for pools that could not be searched. */
  poolId: Schema.NullOr(Schema.String),
  reason: Schema.String
})
export type SkippedPool = typeof SkippedPool.Type

export interface Market {
  readonly chainIdIn: ChainId
  readonly chainIdOut: ChainId
  readonly isLimitOrder: boolean
}

/** A source of swap offers. */
export interface SwapProvider {
  /** The id in the API. */
  readonly id: string
  /** The display name. */
  readonly name: string
  readonly serves: (market: Market) => boolean
  readonly offer: (request: OfferRequest) => Effect.Effect<Offer, OfferError>
  /** Problems of a limit order that it does not support, by request field. Sends no request. */
  readonly limitProblems?: (limit: OrderLimit) => ReadonlyArray<RequestProblem>
  /** The stages of its offers, if they need stages that are not built in. */
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader | TransferClaims>
  /** The known pools of the two tokens that it does not use. Sends no request. */
  readonly skippedPools?: (request: Pick<OfferRequest, "tokenIn" | "tokenOut">) => ReadonlyArray<SkippedPool>
}

/** All configured providers, in the order of preference for equal quotes. */
export class SwapProviders extends Context.Service<SwapProviders, ReadonlyArray<SwapProvider>>()(
  "@countersign/core/swap/SwapProviders"
) {}
