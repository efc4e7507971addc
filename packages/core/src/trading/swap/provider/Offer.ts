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

/** The provider has no way from one token to the other for this amount. */
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
  /** From the quote on; null where the book decides. */
  readonly expirationSeconds: number | null
  readonly partialFillable: boolean
  /** The smart account that gives the order; null for another wallet. */
  readonly account: Account | null
  readonly recipient: WalletAddress
  /** Who takes a part of what is traded. */
  readonly feeShares: ReadonlyArray<FeeShare>
}

export interface OfferRequest {
  /** Each on its own chain. */
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Base units of tokenIn. */
  readonly amountIn: bigint
  /**
   * FIRST: a good way at once. BEST: the way that gives most after its gas, also in several parts. FIRST where it is not
   * said.
   */
  readonly objective?: "FIRST" | "BEST"
  /** The sender and the receiver of a cross-chain swap outside of a batch. With some bridges they change the price. */
  readonly parties?: { readonly sender: WalletAddress; readonly recipient: WalletAddress }
  /** Null for a swap at the market's price. */
  readonly limit: OrderLimit | null
}

/** A step of the way, for people. */
export const RouteHop = Schema.Struct({
  /** Name of the place, such as `Uniswap V3`. */
  venue: Schema.String,
  /** The contract that it leads through: a pool, a pool manager, a bridge, a book. On Bitcoin's chain an address. */
  through: WalletAddress,
  /** Which of its pools, where the contract holds many; else null. */
  poolId: Schema.NullOr(Hash32),
  /** Its fee in millionths of the amount; null where it is not a share. */
  feePips: Schema.NullOr(Schema.Int),
  tokenIn: Address,
  tokenOut: Address
})
export type RouteHop = typeof RouteHop.Type

/** A part of the amount, and the way that it takes. Amounts are in base units of the route's two tokens. */
export const RoutePart = Schema.Struct({
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  hops: Schema.Array(RouteHop)
})
export type RoutePart = typeof RoutePart.Type

/** The parts of an amount, largest first; their amounts add up to those of the offer. Empty where the way is not known. */
export const Route = Schema.Array(RoutePart)
export type Route = typeof Route.Type

/** The contract that takes tokenIn and the one that gives tokenOut; null where parts differ in it, or it is not known. */
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
  /** Whose key signs: the owner of a smart account, a Bitcoin wallet itself. */
  readonly signer: WalletAddress
  readonly recipient: WalletAddress
  /** Base units; the execution must fail when it would give less. */
  readonly minAmountOut: bigint
  /** Unix seconds; the execution must fail after this time. */
  readonly deadline: number
}

/** What a Bitcoin wallet pays for an offer. */
export interface OfferPayment {
  /** In this order, before the fees of the request and the wallet's change. */
  readonly outputs: ReadonlyArray<OfferOutput>
  /** The least that the miner should get for 1,000 virtual bytes; null where any rate will do. */
  readonly leastFeeRate: FeeRate | null
  /** Blocks that have the payment or are on top of it, before the offer's stages begin. */
  readonly confirmations: number
  /** Unix milliseconds: the provider's deposit address expires then. */
  readonly broadcastUntilMs: number
  /** The coins and the change, where the provider has chosen them; ours are chosen where it is left out. */
  readonly fixed?: FixedCoins
}

export interface OfferOutput extends Output {
  readonly role: "VAULT" | "MEMO"
  /** Null where no address stands for the script. */
  readonly address: BitcoinAddress | null
  /** The text that the output carries; null where it carries none. */
  readonly memo: string | null
}

/** The intent that an offer needs. */
export type OfferIntent =
  /** Calls, which become one user operation together with fees and gas. */
  | {
      readonly _tag: "Calls"
      readonly calls: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Call>, OfferError>
      /** The intents that are signed besides the operation and come after it, such as an order that it allows. */
      readonly after?: (terms: OfferTerms) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
      /** Fails where a run shows that the calls do what they must not: for calls that the provider did not make by itself. */
      readonly check?: (run: OfferRun, terms: OfferTerms) => Effect.Effect<void, RouteNotFound>
    }
  /** A payment out of a wallet's coins on Bitcoin's chain. Its outputs have the whole of the offer's amount. */
  | {
      readonly _tag: "BitcoinPayment"
      readonly payment: (terms: OfferTerms) => Effect.Effect<OfferPayment, OfferError>
    }
  /** Something of its own, which pays the fees by itself, out of what the amount has beyond the offer's. */
  | {
      readonly _tag: "Intents"
      readonly intents: (
        terms: OfferTerms,
        payments: ReadonlyArray<FeePayment>
      ) => Effect.Effect<ReadonlyArray<Intent>, OfferError>
    }

/**
 * A provider's offer for an amount. All that it knows beyond its fields is in its functions, so that a copy of an
 * offer, wrapped, logged or cached, is as good as the offer itself.
 */
export interface Offer extends OfferRequest {
  /** Base units of tokenOut. */
  readonly amountOut: bigint
  /**
   * EXACT: what executing it on the state that it was computed on gives. FLOOR: it may give more, and never less.
   * EXPECTED: somebody else's figure, of which the least output alone is enforced.
   */
  readonly certainty: "EXACT" | "FLOOR" | "EXPECTED"
  /** The block that it was computed on; null where that means nothing. */
  readonly blockNumber: bigint | null
  readonly route: Route
  /**
   * By how much its price is worse than the middle price of its pools before it, fees apart: a share scaled by 10^18. Null
   * or left out where the provider does not know.
   */
  readonly priceImpactE18?: bigint | null
  /** The provider's fee, already taken out of `amountOut`. */
  readonly fees: ReadonlyArray<Fee>
  /** Whether the provider takes the fees of the request, as `fees` says, so that the amount is traded whole. */
  readonly takesFees?: boolean
  /** The token that comes in the place of tokenOut, such as the wrapped coin; tokenOut itself where it is left out. */
  readonly arrivesAs?: Token
  /** Who may send something else in its place where it fails on another chain; left out where nobody does. */
  readonly arrivesFrom?: Address
  /** What the owner should know of it before signing, in sentences. */
  readonly notices?: ReadonlyArray<string>
  /** From the signature until tokenOut has arrived. */
  readonly executionSeconds: number
  /** The stages between the user operation's block (or the signature, where there is none) and the end. */
  readonly stages: ReadonlyArray<PlannedStage>
  /** The same offer for another amount, on the same state where that is possible. */
  readonly forAmount: (amountIn: bigint) => Effect.Effect<Offer, OfferError>
  /**
   * The provider's offer for another request once this offer has been executed just before it, in the same
   * operation; null where it can't tell.
   */
  readonly afterwards: ((request: OfferRequest) => Effect.Effect<Offer, OfferError>) | null
  readonly intent: OfferIntent
}

/** A pool, or all of an exchange's, that a provider knows of and does not use. */
export const SkippedPool = Schema.Struct({
  /** Name of the exchange, such as `Uniswap V4`. */
  venue: Schema.String,
  /** The pool's id; null where it is all of the exchange's, or those that could not be looked for. */
  poolId: Schema.NullOr(Schema.String),
  reason: Schema.String
})
export type SkippedPool = typeof SkippedPool.Type

export interface Market {
  readonly chainIdIn: ChainId
  readonly chainIdOut: ChainId
  readonly isLimitOrder: boolean
}

/** A place where tokens are swapped. */
export interface SwapProvider {
  /** The name on the wire. */
  readonly id: string
  /** The name for people. */
  readonly name: string
  readonly serves: (market: Market) => boolean
  readonly offer: (request: OfferRequest) => Effect.Effect<Offer, OfferError>
  /** What it can't take of a limit order, by the fields of the request. Sends no request. */
  readonly limitProblems?: (limit: OrderLimit) => ReadonlyArray<RequestProblem>
  /** The stages of its offers, where they wait for something that the service knows no stage for. */
  readonly stages?: Effect.Effect<ReadonlyArray<Stage>, never, ChainReader | TransferClaims>
  /** The known pools of the two tokens that it does not use. Sends no request. */
  readonly skippedPools?: (request: Pick<OfferRequest, "tokenIn" | "tokenOut">) => ReadonlyArray<SkippedPool>
}

/** Every provider that the service asks, in the order in which equal quotes are preferred. */
export class SwapProviders extends Context.Service<SwapProviders, ReadonlyArray<SwapProvider>>()(
  "@countersign/core/swap/SwapProviders"
) {}
