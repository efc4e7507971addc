import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type OfferError, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Schema } from "effect"
import { SecondsText } from "../../outbound/json-api/index.ts"
import type { AggregatorHost, AggregatorResponse } from "../aggregators/index.ts"

export const NAME = "THORChain"

/** An integer as a number or as a string of digits, because THORNode versions differ. */
const IntegerText = Schema.String.check(Schema.isPattern(/^\d{1,30}$/u))
/** A number of blocks or of sub-swaps, or Unix seconds. Larger values are not plausible. */
const CountText = Schema.String.check(Schema.isPattern(/^\d{1,10}$/u))
const Flag = Schema.optional(Schema.Boolean)

const Pools = Schema.Array(
  Schema.Struct({ asset: Schema.String.check(Schema.isPattern(/^[A-Z0-9.-]{3,120}$/iu)), status: Schema.String })
)

const InboundAddresses = Schema.Array(
  Schema.Struct({
    chain: Schema.String,
    address: Schema.String,
    halted: Flag,
    global_trading_paused: Flag,
    chain_trading_paused: Flag
  })
)

const QuoteResponse = Schema.Struct({
  inbound_address: Schema.String,
  inbound_confirmation_blocks: Schema.optional(CountText),
  inbound_confirmation_seconds: Schema.optional(SecondsText),
  outbound_delay_seconds: Schema.optional(SecondsText),
  total_swap_seconds: Schema.optional(SecondsText),
  fees: Schema.Struct({
    affiliate: Schema.optional(IntegerText),
    outbound: Schema.optional(IntegerText),
    liquidity: Schema.optional(IntegerText)
  }),
  expiry: CountText,
  dust_threshold: Schema.optional(IntegerText),
  recommended_min_amount_in: Schema.optional(IntegerText),
  recommended_gas_rate: Schema.optional(IntegerText),
  gas_rate_units: Schema.optional(Schema.String),
  expected_amount_out: IntegerText,
  max_streaming_quantity: Schema.optional(CountText)
})

const OutTx = Schema.Struct({
  id: Schema.optional(Schema.String),
  chain: Schema.String,
  memo: Schema.optional(Schema.String)
})

const TxStatus = Schema.Struct({
  planned_out_txs: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ chain: Schema.String })))),
  out_txs: Schema.optional(Schema.NullOr(Schema.Array(OutTx)))
})

/** Maximum number of reported transactions that are read on-chain. Only a few vaults pay for one deposit. */
const MAX_OUTBOUNDS = 16

const Refusal = Schema.Struct({
  message: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String)
})
const decodeRefusal = Schema.decodeUnknownOption(Refusal)

const MAX_TEXT_LENGTH = 200
const plainText = (text: string): string | null =>
  text.length <= MAX_TEXT_LENGTH && /^[\w .,:;()%/'"-]+$/u.test(text) ? text.replaceAll(/\s+/gu, " ") : null

const reasonOf = ({ json, status }: AggregatorResponse): string => {
  const refusal = decodeRefusal(json)
  const text = refusal._tag === "Some" ? (refusal.value.message ?? refusal.value.error ?? "") : ""
  return plainText(text) || `it rejected the request with HTTP status ${status}`
}

/** Whether THORNode rejected the request: it then responds with status 500 and JSON with a `code`. */
export const isThorNodeRefusal = (status: number, json: unknown): boolean =>
  status === 500 && decodeRefusal(json)._tag === "Some" && Object(json).code !== undefined

/** A vault for deposits, or the reason why it accepts none. */
export interface Inbound {
  readonly chain: string
  readonly address: string
  /** Why swaps are halted; null if they are not halted. */
  readonly halt: string | null
}

export interface ThorQuote {
  readonly vault: string
  readonly confirmations: number
  readonly seconds: number
  /** Expected output in THORChain's units (10^-8 of the output asset). */
  readonly expectedE8: bigint
  readonly feesE8: { readonly affiliate: bigint; readonly outbound: bigint; readonly liquidity: bigint }
  /** Expiry in Unix seconds. */
  readonly expiry: number
  /** In satoshis. THORChain ignores a deposit up to this amount, which is then lost. */
  readonly dust: bigint
  /** Minimum deposit in satoshis. A lower deposit may not cover the cost of its refund. */
  readonly minAmount: bigint
  /** Fee rate in satoshis per 1,000 virtual bytes; null if it is absent or has another unit. */
  readonly feeRate: bigint | null
  readonly maxParts: number
}

/** A transaction that THORChain reports for a deposit. */
export interface Outbound {
  readonly chain: string
  readonly id: string
}

/** THORChain's status of a deposit. The service verifies the transactions on-chain. */
export interface ThorStatus {
  readonly outbounds: ReadonlyArray<Outbound>
  /** Whether THORChain announces further transactions. */
  readonly isMorePlanned: boolean
}

const haltOf = (inbound: (typeof InboundAddresses.Type)[number]): string | null => {
  if (inbound.global_trading_paused === true) return "trading is paused on all chains"
  if (inbound.halted === true) return `${inbound.chain} is halted`
  return inbound.chain_trading_paused === true ? `trading with ${inbound.chain} is paused` : null
}

const bigintOf = (text: string | undefined): bigint => BigInt(text ?? "0")

const quoteOf = (response: typeof QuoteResponse.Type): ThorQuote => {
  const { fees } = response
  const inboundSeconds = Number(response.inbound_confirmation_seconds ?? 0)
  const rate = bigintOf(response.recommended_gas_rate)
  return {
    vault: response.inbound_address,
    confirmations: Number(response.inbound_confirmation_blocks ?? 1),
    seconds: Number(response.total_swap_seconds ?? inboundSeconds + Number(response.outbound_delay_seconds ?? 0)),
    expectedE8: BigInt(response.expected_amount_out),
    feesE8: {
      affiliate: bigintOf(fees.affiliate),
      outbound: bigintOf(fees.outbound),
      liquidity: bigintOf(fees.liquidity)
    },
    expiry: Number(response.expiry),
    dust: bigintOf(response.dust_threshold),
    minAmount: bigintOf(response.recommended_min_amount_in),
    feeRate: rate > 0n && (response.gas_rate_units ?? "satsperbyte") === "satsperbyte" ? rate * 1_000n : null,
    maxParts: Number(response.max_streaming_quantity ?? 1)
  }
}

export interface ThorQuoteRequest {
  readonly asset: string
  /** In satoshis. */
  readonly amount: bigint
  readonly isStreamed: boolean
}

const formatFailure = new UpstreamUnavailable({ upstream: NAME, reason: "its response has an unexpected format" })

/** Creates a client for THORNode's HTTP API. `patientHost` sends the requests that no quote waits for. */
export const thorNodeApi = (host: AggregatorHost, patientHost: AggregatorHost) => {
  const requestDecoded = Effect.fnUntraced(function* <A>(
    requestHost: AggregatorHost,
    path: string,
    form: Schema.Codec<A, unknown>
  ): Effect.fn.Return<A, OfferError> {
    const response = yield* requestHost.ask(path)
    if (response.status !== 200) return yield* new RouteNotFound({ provider: NAME, reason: reasonOf(response) })
    return yield* Effect.mapError(Schema.decodeUnknownEffect(form)(response.json), () => formatFailure)
  })

  return {
    /** Requests the assets whose pools are available for swaps. */
    pools: Effect.map(requestDecoded(patientHost, "/thorchain/pools", Pools), (pools) =>
      pools.filter(({ status }) => status.toLowerCase() === "available").map(({ asset }) => asset.toUpperCase())
    ),
    inbounds: Effect.map(requestDecoded(patientHost, "/thorchain/inbound_addresses", InboundAddresses), (all) =>
      all.map((inbound): Inbound => ({ chain: inbound.chain, address: inbound.address, halt: haltOf(inbound) }))
    ),
    /**
     * Requests a quote without a destination address, so that THORNode does not learn the address before there is a
     * deposit. The service builds the memo itself.
     */
    quote: ({ amount, asset, isStreamed }: ThorQuoteRequest) => {
      const query = new URLSearchParams({
        from_asset: "BTC.BTC",
        to_asset: asset,
        amount: String(amount),
        ...(isStreamed ? { streaming_interval: "1", streaming_quantity: "0" } : {})
      })
      return Effect.map(requestDecoded(host, `/thorchain/quote/swap?${query}`, QuoteResponse), quoteOf)
    },
    status: (txid: string): Effect.Effect<ThorStatus, OfferError> =>
      Effect.map(
        requestDecoded(patientHost, `/thorchain/tx/status/${txid.slice(2).toUpperCase()}`, TxStatus),
        (status) => {
          const outTransactions = status.out_txs ?? []
          const namedTransactions = outTransactions.flatMap(({ chain, id = "" }) =>
            /^[\da-f]{64}$/iu.test(id) ? [{ chain, id }] : []
          )
          const outbounds = namedTransactions.slice(0, MAX_OUTBOUNDS)
          return { outbounds, isMorePlanned: (status.planned_out_txs ?? []).length > outTransactions.length }
        }
      )
  }
}

export type ThorNodeApi = ReturnType<typeof thorNodeApi>
