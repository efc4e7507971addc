import { Context, type Effect, Schema } from "effect"
import type { TransferClaims } from "../../../accounting/history/index.ts"
import type { FeeRate, Output } from "../../../bitcoin/chain/index.ts"
import type { FixedUtxos } from "../../../bitcoin/payments/index.ts"
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

/** The provider makes no offer, for example because it has no route between the tokens for this amount. */
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
  /** Seconds from the quote to the order's expiry. Null if the order book decides. */
  readonly expirationSeconds: number | null
  readonly partialFillable: boolean
  /** The smart account that places the order. Null for other wallets. */
  readonly account: Account | null
  readonly recipient: WalletAddress
  /** The fees as shares of the traded amount. */
  readonly feeShares: ReadonlyArray<FeeShare>
}

export interface OfferRequest {
  /** `tokenIn` and `tokenOut` may be on different chains. */
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  /**
   * FIRST: a good route within a short time. BEST: the highest output after gas, possibly with a split route. The
   * default is FIRST.
   */
  readonly objective?: "FIRST" | "BEST"
  /** Sender and recipient of a cross-chain swap outside a batch. Some bridges' prices depend on them. */
  readonly parties?: { readonly sender: WalletAddress; readonly recipient: WalletAddress }
  /** Null for a market swap. */
  readonly limit: OrderLimit | null
}

/** A hop of a route, for display. */
export const RouteHop = Schema.Struct({
  /** The exchange's name, such as `Uniswap V3`. */
  venue: Schema.String,
  /**
   * The contract of the hop: a pool, a pool manager, a bridge or an order book. For a hop on Bitcoin, a Bitcoin
   * address.
   */
  through: WalletAddress,
  /** The pool id, if the contract has several pools. Otherwise null. */
  poolId: Schema.NullOr(Hash32),
  /** The fee in millionths of the amount. Null if the fee is not proportional to the amount. */
  feePips: Schema.NullOr(Schema.Int),
  tokenIn: Address,
  tokenOut: Address
})
export type RouteHop = typeof RouteHop.Type

/** A share of the amount, with its path. Amounts are in base units of the route's input and output tokens. */
export const RoutePart = Schema.Struct({
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  hops: Schema.Array(RouteHop)
})
export type RoutePart = typeof RoutePart.Type

/** The parts of a route, largest first. Their amounts add up to the offer's amounts. Empty if the route is unknown. */
export const Route = Schema.Array(RoutePart)
export type Route = typeof Route.Type

/**
 * Returns the contracts that receive tokenIn and pay tokenOut. Null if they are unknown, or differ between the parts.
 */
export const endpointContractsOf = (
  route: Route
): { readonly first: WalletAddress | null; readonly last: WalletAddress | null } => {
  const commonContract = (position: 0 | -1): WalletAddress | null => {
    const [commonContractOrNull, ...others] = new Set(route.map(({ hops }) => hops.at(position)?.through ?? null))
    return others.length === 0 ? (commonContractOrNull ?? null) : null
  }
  return { first: commonContract(0), last: commonContract(-1) }
}

export interface OfferTerms {
  /** The wallet, whose account makes the calls. */
  readonly sender: WalletAddress
  /** The account whose key signs: the owner of a smart account, or the Bitcoin wallet itself. */
  readonly signer: WalletAddress
  readonly recipient: WalletAddress
  /** Base units. The execution must revert below this output. */
  readonly minAmountOut: bigint
  /** Unix seconds. The execution must revert after this time. */
  readonly deadline: number
}

/** The Bitcoin payment of an offer. */
export interface OfferPayment {
  /** The first outputs, in this order. The outputs for the request's fees and the change follow. */
  readonly outputs: ReadonlyArray<OfferOutput>
  /** Minimum fee rate in satoshis per 1,000 virtual bytes. Null if there is no minimum. */
  readonly minFeeRate: FeeRate | null
  /** Number of confirmations that the payment needs before the offer's stages begin. */
  readonly confirmations: number
  /** Unix milliseconds at which the provider's deposit address expires. */
  readonly broadcastUntilMs: number
  /** The UTXOs and the change, if the provider selects them. If absent, this service selects them. */
  readonly fixed?: FixedUtxos
}

export interface OfferOutput extends Output {
  readonly role: "VAULT" | "MEMO"
  /** Null if the script has no address. */
  readonly address: BitcoinAddress | null
  /** The text in the output. Null if the output has no text. */
  readonly memo: string | null
}

/** The intent that executes an offer. */
export type OfferIntent =
  /** Calls of a user operation. Calls for fees and gas are added to them. */
  | {
      readonly _tag: "Calls"
      readonly buildCalls: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Call>, OfferError>
      /**
       * Returns the intents that are signed after the operation, such as an order for which the operation grants an
       * approval.
       */
      readonly listLaterIntents?: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
      /**
       * Fails if a simulation shows that the calls have forbidden effects. Required for calls that a third party
       * created.
       */
      readonly checkSimulation?: (run: OfferRun, terms: OfferTerms) => Effect.Effect<void, RouteNotFound>
    }
  /** A Bitcoin payment from the wallet. Its outputs add up to the offer's amount. */
  | {
      readonly _tag: "BitcoinPayment"
      readonly buildPayment: (terms: OfferTerms) => Effect.Effect<OfferPayment, OfferError>
    }
  /**
   * Intents that the offer creates itself. They also pay the fees, from the part of the amount that the offer does not
   * use.
   */
  | {
      readonly _tag: "Intents"
      readonly buildIntents: (
        terms: OfferTerms,
        payments: ReadonlyArray<FeePayment>
      ) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
    }

/**
 * A provider's offer for an amount. Its functions do not use `this`, so a copy of an offer (wrapped, logged or cached)
 * remains valid.
 */
export interface Offer extends OfferRequest {
  /** Base units of tokenOut. */
  readonly amountOut: bigint
  /**
   * EXACT: the output for the chain state at `blockNumber`. FLOOR: a lower bound of the output. EXPECTED: a third
   * party's estimate, for which only the minimum output is enforced.
   */
  readonly certainty: "EXACT" | "FLOOR" | "EXPECTED"
  /** The block whose state was used. Null if the offer does not depend on a block. */
  readonly blockNumber: bigint | null
  readonly route: Route
  /**
   * The price impact relative to the pools' mid prices before the swap, without fees, as a fraction scaled by 10^18.
   * Null or absent if the provider does not compute it.
   */
  readonly priceImpactE18?: bigint | null
  /** The provider's own fees, which are already deducted from `amountOut`. */
  readonly fees: ReadonlyArray<Fee>
  /** Whether the provider collects the request's fees. `fees` then lists them, and the full amount is traded. */
  readonly takesFees?: boolean
  /** The token that arrives instead of tokenOut, such as the wrapped native token. Absent if tokenOut arrives. */
  readonly arrivesAs?: Token
  /**
   * The account that may send a different token if the swap on the destination chain fails. Absent if there is none.
   */
  readonly arrivesFrom?: Address
  /** Notices that the owner should read before signing, as sentences. */
  readonly notices?: ReadonlyArray<string>
  /** Seconds between the signature and the arrival of tokenOut. */
  readonly executionSeconds: number
  /**
   * The stages that follow the block of the user operation. Without an operation, the stages that follow the signature.
   */
  readonly stages: ReadonlyArray<PlannedStage>
  /** Returns the same offer for another amount, based on the same chain state if possible. */
  readonly requoteAmount: (amountIn: bigint) => Effect.Effect<Offer, OfferError>
  /**
   * Returns the provider's offer for a further request that is executed after this offer in the same operation. Null if
   * the provider can't compute it.
   */
  readonly requestFollowUp: ((request: OfferRequest) => Effect.Effect<Offer, OfferError>) | null
  readonly intent: OfferIntent
}

/** A pool that a provider found but does not use, or all such pools of an exchange. */
export const SkippedPool = Schema.Struct({
  /** Name of the exchange, such as `Uniswap V4`. */
  venue: Schema.String,
  /** The pool's id. Null for all pools of the exchange, or if the search for pools failed. */
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
  /** The provider's id in the API. */
  readonly id: string
  /** The display name. */
  readonly name: string
  readonly serves: (market: Market) => boolean
  readonly offer: (request: OfferRequest) => Effect.Effect<Offer, OfferError>
  /**
   * Returns the problems of a limit order that the provider does not support, by request field. Sends no request to the
   * provider.
   */
  readonly findLimitProblems?: (limit: OrderLimit) => ReadonlyArray<RequestProblem>
  /** The provider's own stages that its offers need. Absent if they use only built-in stages. */
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader | TransferClaims>
  /** Returns the pools of the token pair that the provider found but does not use. Sends no request to the provider. */
  readonly listSkippedPools?: (request: Pick<OfferRequest, "tokenIn" | "tokenOut">) => ReadonlyArray<SkippedPool>
}

/** All configured providers. Between equal quotes, the provider that comes first is preferred. */
export class SwapProviders extends Context.Service<SwapProviders, ReadonlyArray<SwapProvider>>()(
  "@countersign/core/swap/SwapProviders"
) {}
