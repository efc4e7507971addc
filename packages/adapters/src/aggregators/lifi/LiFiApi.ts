import { UpstreamUnavailable } from "@countersign/core/errors"
import { isNativeCoin, type WalletAddress } from "@countersign/core/primitives"
import { type OfferError, type OfferRequest, RouteNotFound } from "@countersign/core/swap"
import type { Token } from "@countersign/core/tokens"
import { Effect, Option, Schema } from "effect"
import { zeroAddress } from "viem"
import { addressFromHex, bytesFromHex } from "../../evm/index.ts"
import type { AggregatorAnswer, AggregatorHost } from "../AggregatorHost.ts"
import type { RouteTransaction } from "../RouteCall.ts"

export const NAME = "LI.FI"

const WholeNumber = Schema.String.check(Schema.isPattern(/^\d{1,78}$/u))
const HexNumber = Schema.String.check(Schema.isPattern(/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/u))
const HexAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u))
const HexData = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})+$/u))
const Seconds = Schema.String.check(Schema.isPattern(/^\d{1,7}(?:\.\d+)?$/u))

const QuoteAnswer = Schema.Struct({
  tool: Schema.String.check(Schema.isPattern(/^[\w.-]{1,40}$/u)),
  estimate: Schema.Struct({
    toAmount: WholeNumber,
    executionDuration: Schema.optional(Seconds)
  }),
  transactionRequest: Schema.Struct({ to: HexAddress, data: HexData, value: Schema.optional(HexNumber) })
})

/** What it did not find, and why: the codes of its tools, and reasons for what it left out itself. */
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

const MOST_REASONS = 3
const MOST_TEXT = 120

/** Its texts are shown where they are plain sentences, and nothing but that. */
const plain = (text: string): string | null =>
  text.length <= MOST_TEXT && /^[\w .,:;()%'-]+$/u.test(text) ? text : null

const reasonOf = ({ json, status }: AggregatorAnswer): string => {
  const refusal = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(json))
  const failed = (refusal?.errors?.failed ?? []).flatMap(({ subpaths }) =>
    Object.values(subpaths)
      .flat()
      .map(({ code, tool = "a tool" }) => plain(`${tool}: ${code}`))
  )
  const filtered = (refusal?.errors?.filteredOut ?? []).map(({ reason }) => plain(reason))
  const reasons = [...new Set([...failed, ...filtered])].filter((reason) => reason !== null).slice(0, MOST_REASONS)
  if (reasons.length > 0) return reasons.join("; ")
  return plain(refusal?.message ?? "") || `it refused with HTTP status ${status}`
}

/** The transaction of a route, with what it is expected to give. */
export interface LiFiQuote {
  readonly tool: string
  readonly amountOut: bigint
  /** From the transaction on; null where it does not say. */
  readonly seconds: number | null
  readonly transaction: RouteTransaction
}

export interface LiFiAsked extends Pick<OfferRequest, "tokenIn" | "tokenOut" | "amountIn"> {
  readonly sender: WalletAddress
  readonly recipient: WalletAddress
  /** Hundredths of a percent. */
  readonly slippageBps: number
}

const assetOf = ({ address }: Token): string => (isNativeCoin(address) ? zeroAddress : address)

/** The quotes of LI.FI's API, version 1. `admit` counts each of them. */
export const liFiApi = (host: AggregatorHost, integrator: string, admit: Effect.Effect<void, UpstreamUnavailable>) => ({
  quote: Effect.fnUntraced(function* ({
    amountIn,
    recipient,
    sender,
    slippageBps,
    tokenIn,
    tokenOut
  }: LiFiAsked): Effect.fn.Return<LiFiQuote, OfferError> {
    const query = new URLSearchParams({
      fromChain: String(tokenIn.chainId),
      toChain: String(tokenOut.chainId),
      fromToken: assetOf(tokenIn),
      toToken: assetOf(tokenOut),
      fromAmount: String(amountIn),
      fromAddress: sender,
      toAddress: recipient,
      slippage: String(slippageBps / 10_000),
      integrator,
      order: "CHEAPEST",
      // The wallet need not be deployed, and its allowance comes with the operation.
      skipSimulation: "true",
      allowDestinationCall: "false",
      // Bridges whose calls say what arrives at least, without a swap before, whose share nobody can recompute.
      ...(tokenIn.chainId === tokenOut.chainId ? {} : { allowBridges: "across", allowExchanges: "none" })
    })
    yield* admit
    const answer = yield* host.ask(`/quote?${query}`)
    if (answer.status !== 200) return yield* new RouteNotFound({ provider: NAME, reason: reasonOf(answer) })
    const { estimate, tool, transactionRequest } = yield* Schema.decodeUnknownEffect(QuoteAnswer)(answer.json).pipe(
      Effect.mapError(() => new UpstreamUnavailable({ upstream: NAME, reason: "its answer has an unexpected form" }))
    )
    const amountOut = BigInt(estimate.toAmount)
    if (amountOut === 0n) {
      return yield* new RouteNotFound({ provider: NAME, reason: "it gives nothing for this amount" })
    }
    return {
      tool,
      amountOut,
      seconds: estimate.executionDuration === undefined ? null : Number(estimate.executionDuration),
      transaction: {
        to: addressFromHex(transactionRequest.to),
        value: BigInt(transactionRequest.value ?? "0"),
        data: bytesFromHex(transactionRequest.data)
      }
    }
  })
})
