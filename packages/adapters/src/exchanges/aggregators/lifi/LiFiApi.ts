import type { ChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type BitcoinAddress, isNativeToken, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type OfferError, type OfferRequest, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Option, Schema } from "effect"
import { zeroAddress } from "viem"
import { CheckedBitcoinAddress } from "../../../chains/bitcoin/index.ts"
import { addressFromHex, bytesFromHex } from "../../../chains/evm/index.ts"
import { SecondsText, Uint256Text } from "../../../outbound/json-api/index.ts"
import type { AggregatorHost, AggregatorResponse } from "../AggregatorHost.ts"
import type { RouteTransaction } from "../RouteCall.ts"
import { HexAddress, HexData, plainText } from "../wire.ts"

export const NAME = "LI.FI"

const HexNumber = Schema.String.check(Schema.isPattern(/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/u))

const QuoteResponse = Schema.Struct({
  tool: Schema.String.check(Schema.isPattern(/^[\w.-]{1,40}$/u)),
  estimate: Schema.Struct({
    toAmount: Uint256Text,
    toAmountMin: Schema.optional(Uint256Text),
    executionDuration: Schema.optional(SecondsText)
  }),
  transactionRequest: Schema.Struct({ to: HexAddress, data: HexData, value: Schema.optional(HexNumber) })
})

/** A quote whose transaction is a PSBT, in hexadecimal with or without 0x. */
const BitcoinResponse = Schema.Struct({
  tool: QuoteResponse.fields.tool,
  estimate: Schema.Struct({ ...QuoteResponse.fields.estimate.fields, toAmountMin: Uint256Text }),
  transactionRequest: Schema.Struct({
    to: CheckedBitcoinAddress,
    data: Schema.String.check(Schema.isPattern(/^(?:0x)?(?:[0-9a-fA-F]{2}){1,100000}$/u))
  })
})

/**
 * The reasons why LI.FI found no route: error codes of the exchanges and bridges that it uses, and reasons why routes
 * were filtered out.
 */
const Refusal = Schema.Struct({
  message: Schema.optional(Schema.String),
  errors: Schema.optional(
    Schema.Struct({
      filteredOut: Schema.optional(Schema.Array(Schema.Struct({ reason: Schema.String }))),
      failed: Schema.optional(
        Schema.Array(
          Schema.Struct({
            subpaths: Schema.Record(
              Schema.String,
              Schema.Array(Schema.Struct({ tool: Schema.optional(Schema.String), code: Schema.String }))
            )
          })
        )
      )
    })
  )
})

const MAX_REASONS = 3

const reasonOf = ({ json, status }: AggregatorResponse): string => {
  const refusal = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(json))
  const failedPaths = (refusal?.errors?.failed ?? []).flatMap(({ subpaths }) =>
    Object.values(subpaths)
      .flat()
      .map(({ code, tool = "a tool" }) => plainText(`${tool}: ${code}`))
  )
  const filterReasons = (refusal?.errors?.filteredOut ?? []).map(({ reason }) => plainText(reason))
  const reasons = [...new Set([...failedPaths, ...filterReasons])]
    .filter((reason) => reason !== null)
    .slice(0, MAX_REASONS)
  if (reasons.length > 0) return reasons.join("; ")
  return plainText(refusal?.message ?? "") || `it rejected the request with HTTP status ${status}`
}

/** A transaction that executes a route, with its expected output. */
export interface LiFiQuote {
  readonly tool: string
  readonly amountOut: bigint
  /** Minimum output that the API states; zero if absent. */
  readonly minAmount: bigint
  /** Seconds after the transaction until completion; null if absent. */
  readonly seconds: number | null
  readonly transaction: RouteTransaction
}

/** The Bitcoin payment that starts a route, with the route's expected output. */
export interface BitcoinQuote {
  readonly tool: string
  readonly amountOut: bigint
  /** Minimum output that the API states. */
  readonly minAmount: bigint
  readonly seconds: number | null
  readonly vault: BitcoinAddress
  /** In hexadecimal. The PSBT must be verified before it is used. */
  readonly psbt: string
}

/** LI.FI's chain id of Bitcoin and token id of BTC. */
export const LIFI_BITCOIN = "20000000000001"
export const LIFI_BITCOIN_TOKEN = "bitcoin"

/** Returns LI.FI's name of the only supported bridge to a destination chain. */
export const bridgeTo = (chainIdOut: ChainId): string => (chainIdOut === 0 ? "chainflip" : "across")

export interface LiFiRequest extends Pick<OfferRequest, "tokenIn" | "tokenOut" | "amountIn"> {
  readonly sender: WalletAddress
  readonly recipient: WalletAddress
  /** In basis points. */
  readonly slippageBps: number
}

const formatFailure = new UpstreamUnavailable({ upstream: NAME, reason: "its response has an unexpected format" })

const assetOf = ({ address }: Token): string => (isNativeToken(address) ? zeroAddress : address)

/**
 * Creates a client for the quotes of LI.FI's API, version 1. `admit` counts each quote against the quota, and fails if
 * the quota is used up.
 */
export const liFiApi = (host: AggregatorHost, integrator: string, admit: Effect.Effect<void, UpstreamUnavailable>) => ({
  /** Requests a quote for a swap from Bitcoin. The API itself selects the sender's UTXOs. */
  bitcoinQuote: Effect.fnUntraced(function* ({
    amountIn,
    recipient,
    sender,
    slippageBps,
    tokenOut
  }: LiFiRequest): Effect.fn.Return<BitcoinQuote, OfferError> {
    const query = new URLSearchParams({
      fromChain: LIFI_BITCOIN,
      toChain: String(tokenOut.chainId),
      fromToken: LIFI_BITCOIN_TOKEN,
      toToken: assetOf(tokenOut),
      fromAmount: String(amountIn),
      fromAddress: sender,
      toAddress: recipient,
      slippage: String(slippageBps / 10_000),
      integrator,
      order: "CHEAPEST",
      allowDestinationCall: "false"
    })
    yield* admit
    const response = yield* host.ask(`/quote?${query}`)
    if (response.status !== 200) return yield* new RouteNotFound({ provider: NAME, reason: reasonOf(response) })
    const { estimate, tool, transactionRequest } = yield* Effect.mapError(
      Schema.decodeUnknownEffect(BitcoinResponse)(response.json),
      () => formatFailure
    )
    if (BigInt(estimate.toAmount) === 0n) {
      return yield* new RouteNotFound({ provider: NAME, reason: "its output for this amount is zero" })
    }
    return {
      tool,
      amountOut: BigInt(estimate.toAmount),
      minAmount: BigInt(estimate.toAmountMin),
      seconds: estimate.executionDuration === undefined ? null : Number(estimate.executionDuration),
      vault: transactionRequest.to,
      psbt: transactionRequest.data
    }
  }),
  quote: Effect.fnUntraced(function* ({
    amountIn,
    recipient,
    sender,
    slippageBps,
    tokenIn,
    tokenOut
  }: LiFiRequest): Effect.fn.Return<LiFiQuote, OfferError> {
    const query = new URLSearchParams({
      fromChain: String(tokenIn.chainId),
      toChain: tokenOut.chainId === 0 ? LIFI_BITCOIN : String(tokenOut.chainId),
      fromToken: assetOf(tokenIn),
      toToken: tokenOut.chainId === 0 ? LIFI_BITCOIN_TOKEN : assetOf(tokenOut),
      fromAmount: String(amountIn),
      fromAddress: sender,
      toAddress: recipient,
      slippage: String(slippageBps / 10_000),
      integrator,
      order: "CHEAPEST",
      // The API can't simulate the swap, because the wallet may not be deployed and the operation itself sets the
      // approval.
      skipSimulation: "true",
      allowDestinationCall: "false",
      // Allows only bridges whose calldata contain the minimum output on the destination chain. For transfers to
      // Bitcoin, a swap before the bridge is disabled, because the service could not recompute the amount that reaches
      // the bridge.
      ...(tokenIn.chainId === tokenOut.chainId ? {} : { allowBridges: bridgeTo(tokenOut.chainId) }),
      ...(tokenOut.chainId === 0 ? { allowExchanges: "none" } : {})
    })
    yield* admit
    const response = yield* host.ask(`/quote?${query}`)
    if (response.status !== 200) return yield* new RouteNotFound({ provider: NAME, reason: reasonOf(response) })
    const { estimate, tool, transactionRequest } = yield* Schema.decodeUnknownEffect(QuoteResponse)(response.json).pipe(
      Effect.mapError(() => formatFailure)
    )
    const amountOut = BigInt(estimate.toAmount)
    if (amountOut === 0n) {
      return yield* new RouteNotFound({ provider: NAME, reason: "its output for this amount is zero" })
    }
    return {
      tool,
      amountOut,
      minAmount: BigInt(estimate.toAmountMin ?? "0"),
      seconds: estimate.executionDuration === undefined ? null : Number(estimate.executionDuration),
      transaction: {
        to: addressFromHex(transactionRequest.to),
        value: BigInt(transactionRequest.value ?? "0"),
        data: bytesFromHex(transactionRequest.data)
      }
    }
  })
})

export type LiFiApi = ReturnType<typeof liFiApi>
