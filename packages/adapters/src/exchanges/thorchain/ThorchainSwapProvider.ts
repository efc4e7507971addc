import { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Fee } from "@countersign/core/foundation/fees"
import {
  type BitcoinAddress,
  decimalFromBaseUnits,
  isEvmAddress,
  isNativeToken
} from "@countersign/core/foundation/primitives"
import {
  type Offer,
  type OfferError,
  type OfferPayment,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Clock, Effect, Option, Schema } from "effect"
import { CheckedBitcoinAddress } from "../../chains/bitcoin/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { aggregatorHost } from "../aggregators/index.ts"
import {
  assetOrNull,
  baseUnitsRoundingDown,
  baseUnitsRoundingUp,
  chainNameOrNull,
  e8RoundingUp,
  isPaidOutOn
} from "./assets.ts"
import { MAX_MEMO_BYTES, memoScript, swapMemoOrNull } from "./memo.ts"
import { outboundStage, outboundStagePlan } from "./outboundStage.ts"
import { isThorNodeRefusal, NAME, type ThorQuote, thorNodeApi } from "./ThorNodeApi.ts"

export interface ThorchainOptions {
  /** URL of a THORNode's HTTP API. */
  readonly url: string
  readonly timeoutMs?: number
  readonly isServed: (chainId: EvmChainId) => boolean
}

const TIMEOUT_MS = 5_000
/** Public THORNodes accept one quote request per second. */
const PACE = { requests: 1, windowMs: 1_000 }
/** How long the pools are cached. They change within days. */
const POOLS_AGE_MS = 300_000
/** Upper bound of the confirmations that a response may state. THORChain's own maximum is lower. */
const MAX_CONFIRMATIONS = 144

const decodeVault = Schema.decodeUnknownOption(CheckedBitcoinAddress)
const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })
const btcText = (satoshis: bigint) => `${decimalFromBaseUnits(satoshis, 8)} BTC`

interface FoundQuote {
  readonly quote: ThorQuote
  readonly vault: BitcoinAddress
  readonly asset: string
  readonly pools: ReadonlyArray<string>
  readonly isStreamed: boolean
}

const feesOf = ({ tokenOut }: OfferRequest, { feesE8 }: ThorQuote): ReadonlyArray<Fee> =>
  [feesE8.outbound, feesE8.liquidity, feesE8.affiliate]
    .filter((e8) => e8 > 0n)
    .map((e8) => ({
      type: "PROVIDER",
      chainId: tokenOut.chainId,
      token: tokenOut.address,
      amount: baseUnitsRoundingUp(e8, tokenOut.decimals),
      toAddress: null,
      percentage: null
    }))

/** Creates the provider of swaps from Bitcoin by THORChain: a payment to its vault with a memo. */
export const make = Effect.fnUntraced(function* ({ isServed, timeoutMs = TIMEOUT_MS, url }: ThorchainOptions) {
  const rpc = yield* RpcClients
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const options = { title: NAME, url, headers: {}, timeoutMs, refuses: isThorNodeRefusal }
  const api = thorNodeApi(aggregatorHost({ ...options, pace: PACE }), aggregatorHost({ ...options, pace: null }))
  const [pools, evictPools] = yield* Effect.cachedInvalidateWithTTL(api.pools, POOLS_AGE_MS)
  // A failed request is not cached.
  const knownPools = Effect.tapError(pools, () => evictPools)

  const requireTrading = Effect.fnUntraced(function* (chainId: EvmChainId) {
    const inbounds = yield* api.inbounds
    for (const chainName of ["BTC", chainNameOrNull(chainId)]) {
      const inbound = inbounds.find(({ chain: name }) => name === chainName)
      if (inbound === undefined) return yield* noRoute(`it currently has no vault for ${chainName}`)
      if (inbound.halt !== null) return yield* noRoute(`${inbound.halt} now`)
    }
    return inbounds.find(({ chain: name }) => name === "BTC")!.address
  })

  const findQuote = Effect.fnUntraced(function* (
    request: OfferRequest,
    chainId: EvmChainId
  ): Effect.fn.Return<FoundQuote, OfferError> {
    const assets = yield* knownPools
    const asset = assetOrNull(request.tokenOut, assets)
    if (asset === null) return yield* noRoute(`it has no pool for ${request.tokenOut.symbol} on that chain`)
    const isStreamed = request.objective === "BEST"
    const quoteRequest = { asset, amount: request.amountIn, isStreamed }
    const [address, quote] = yield* Effect.all([requireTrading(chainId), api.quote(quoteRequest)], { concurrency: 2 })
    const vault = Option.getOrNull(decodeVault(quote.vault))
    if (vault === null || address !== quote.vault) {
      return yield* noRoute("its vault is changing: it returned two different addresses, or an invalid address")
    }
    if (request.amountIn <= quote.dust) return yield* noRoute(`it ignores payments of ${btcText(quote.dust)} or less`)
    if (request.amountIn < quote.minAmount) {
      return yield* noRoute(
        `it requires at least ${btcText(quote.minAmount)}, because a smaller amount may not cover a refund`
      )
    }
    return { quote, vault, asset, pools: assets, isStreamed: isStreamed && quote.maxParts > 1 }
  })

  /**
   * Requires that the receiver can receive the token. THORChain sends native tokens with too little gas for most
   * contracts, and the tokens would then stay in the vault.
   */
  const requireReceiver = Effect.fnUntraced(function* (
    { tokenOut }: OfferRequest,
    chainId: EvmChainId,
    { recipient }: OfferTerms
  ) {
    if (!isNativeToken(tokenOut.address) || !isEvmAddress(recipient)) return
    const code = yield* rpc.call(chainId, () => rpc.request(chainId, "eth_getCode", [recipient, "latest"]))
    if (code === "0x") return
    return yield* noRoute(
      `${recipient} is a contract, and the gas of the transfer may not suffice to receive ${tokenOut.symbol}. Request a token`
    )
  })

  const paymentFor = Effect.fnUntraced(function* (
    request: OfferRequest,
    chainId: EvmChainId,
    { asset, isStreamed, pools: allPools, quote, vault }: FoundQuote,
    terms: OfferTerms
  ): Effect.fn.Return<OfferPayment, OfferError> {
    const { deadline, minAmountOut, recipient, sender } = terms
    if (sender.startsWith("bc1p")) {
      return yield* noRoute(
        `${sender} is a taproot address, and THORChain does not refund to taproot addresses. Swap from another type of address`
      )
    }
    if (!isEvmAddress(recipient)) return yield* noRoute("it is supported for EVM destination chains only")
    if (quote.expiry < deadline) {
      const seconds = Math.max(0, quote.expiry - Math.floor((yield* Clock.currentTimeMillis) / 1_000))
      return yield* noRoute(`its vault address expires in ${seconds} s, before the quote`)
    }
    yield* requireReceiver(request, chainId, terms)
    // The limit of a streaming swap applies to each sub-swap, before the outbound fee is deducted (dev.thorchain.org,
    // streaming swaps).
    const feeE8 = isStreamed ? quote.feesE8.outbound : 0n
    const limitE8 = e8RoundingUp(minAmountOut, request.tokenOut.decimals) + feeE8
    const memo = swapMemoOrNull({ asset, pools: allPools, destination: recipient, limitE8, isStreamed })
    if (memo === null) return yield* noRoute(`its memo would be longer than ${MAX_MEMO_BYTES} bytes`)
    return {
      outputs: [
        { role: "VAULT", address: vault, memo: null, script: transactions.scriptOf(vault), value: request.amountIn },
        { role: "MEMO", address: null, memo, script: memoScript(memo), value: 0n }
      ],
      minFeeRate: quote.feeRate,
      confirmations: Math.min(MAX_CONFIRMATIONS, Math.max(1, quote.confirmations)),
      broadcastUntilMs: quote.expiry * 1_000
    }
  })

  const offerOf = (
    request: OfferRequest,
    chainId: EvmChainId,
    foundQuote: FoundQuote
  ): Effect.Effect<Offer, OfferError> => {
    const { quote, vault } = foundQuote
    const { amountIn, tokenIn, tokenOut } = request
    const amountOut = baseUnitsRoundingDown(quote.expectedE8, tokenOut.decimals)
    if (amountOut <= 0n) return Effect.fail(noRoute("its fees equal or exceed the amount"))
    const hop = { venue: NAME, through: vault, poolId: null, feePips: null }
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "EXPECTED",
      blockNumber: null,
      route: [{ amountIn, amountOut, hops: [{ ...hop, tokenIn: tokenIn.address, tokenOut: tokenOut.address }] }],
      fees: feesOf(request, quote),
      executionSeconds: quote.seconds,
      stages: [outboundStagePlan],
      requoteAmount: (other) =>
        other === amountIn ? Effect.succeed(offer) : offerFor({ ...request, amountIn: other }, chainId),
      requestFollowUp: null,
      intent: { _tag: "BitcoinPayment", buildPayment: (terms) => paymentFor(request, chainId, foundQuote, terms) }
    }
    return Effect.succeed(offer)
  }

  const offerFor = (request: OfferRequest, chainId: EvmChainId): Effect.Effect<Offer, OfferError> =>
    Effect.flatMap(findQuote(request, chainId), (foundQuote) => offerOf(request, chainId, foundQuote))

  const provider: SwapProvider = {
    id: "THORCHAIN",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      !isLimitOrder && chainIdIn === 0 && isPaidOutOn(chainIdOut) && isServed(chainIdOut),
    stages: Effect.map(outboundStage(api, rpc, { chain, transactions }), (stage) => [stage]),
    offer: Effect.fn("ThorchainSwapProvider.offer")(function* (request) {
      const { chainId } = request.tokenOut
      if (!isPaidOutOn(chainId)) return yield* noRoute("it does not pay out on that chain")
      return yield* offerFor(request, chainId)
    })
  }
  return provider
})
