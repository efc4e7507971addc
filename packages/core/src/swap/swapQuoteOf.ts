import { DateTime } from "effect"
import { chainOf } from "../chains/index.ts"
import type { Fee } from "../fees/index.ts"
import { type Address, decimalFromBaseUnits } from "../primitives/index.ts"
import { decimalFromPrice, type Token, type UsdPriceE18, usdValueOrNull } from "../tokens/index.ts"
import { type BuiltOperation, inclusionEstimateMs, type TokenTransfer } from "../user-operations/index.ts"
import type { AssetChange, SwapQuote } from "./SwapQuote.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import type { FeeCollectors, SwapFees, SwapPlan } from "./swapPlan.ts"
import type { SwapTokens } from "./swapRefusals.ts"

export interface QuoteInputs {
  readonly request: SwapRequest
  readonly tokens: SwapTokens
  /** Tokens that the simulation may move, by address. */
  readonly knownTokens: ReadonlyMap<Address, Token>
  readonly collectors: FeeCollectors
  readonly prices: ReadonlyMap<Address, UsdPriceE18>
  readonly providerId: string
  readonly built: BuiltOperation<SwapPlan>
  readonly quotedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

const feesOf = ({ built, collectors, request, tokens }: QuoteInputs): ReadonlyArray<Fee> => {
  const { fees } = built.plan
  const inTokenIn = (type: Fee["type"], units: bigint, toAddress: Address | null, percentage: number): Fee => ({
    type,
    token: tokens.tokenIn.address,
    amount: decimalFromBaseUnits(units, tokens.tokenIn.decimals),
    toAddress,
    percentage: String(percentage)
  })
  const gas: Fee = {
    type: "GAS",
    token: tokens.payGasFeeToken.address,
    amount: decimalFromBaseUnits(built.gasFee.maxToken, tokens.payGasFeeToken.decimals),
    toAddress: built.operation.paymaster?.address ?? null,
    percentage: null
  }
  return [
    gas,
    ...(collectors.treasury === null || request.transactionFeePercent === 0
      ? []
      : [inTokenIn("SERVICE", fees.transactionFee, collectors.treasury, request.transactionFeePercent)]),
    ...(request.extraFee === null
      ? []
      : [inTokenIn("EXTRA", fees.extraFee, request.extraFee.toAddress, request.extraFee.percentage)])
  ]
}

const collectedFeeOf = (tokenIn: Token, fees: SwapFees, request: SwapRequest, collectors: FeeCollectors) => ({
  token: tokenIn.address,
  amount: decimalFromBaseUnits(fees.treasuryFee, tokenIn.decimals),
  percent: String(collectors.treasury === null ? 0 : request.transactionFeePercent),
  serviceAmount: decimalFromBaseUnits(fees.operatorFee, tokenIn.decimals),
  servicePercent: String(collectors.operatorTreasury === null ? 0 : collectors.operatorSharePercent)
})

/** Net movement of each known token into (or, with a minus, out of) the wallet. */
export const assetChanges = (
  wallet: Address,
  transfers: ReadonlyArray<TokenTransfer>,
  tokens: ReadonlyMap<Address, Token>
): ReadonlyArray<AssetChange> => {
  const net = new Map<Address, bigint>()
  for (const { amount, from, to, token } of transfers) {
    const change = (to === wallet ? amount : 0n) - (from === wallet ? amount : 0n)
    if (change !== 0n) net.set(token, (net.get(token) ?? 0n) + change)
  }
  return [...net].flatMap(([address, change]) => {
    const token = tokens.get(address)
    if (token === undefined || change === 0n) return []
    const size = decimalFromBaseUnits(change < 0n ? -change : change, token.decimals)
    return [{ token: address, amount: change < 0n ? `-${size}` : size }]
  })
}

/** The quote that a built operation amounts to. */
export const swapQuoteOf = (inputs: QuoteInputs): SwapQuote => {
  const { built, prices, request, tokens } = inputs
  const { gasFee, plan } = built
  const { payGasFeeToken, tokenIn, tokenOut } = tokens
  const priceOf = (token: Token) => prices.get(token.address)
  const priceIn = priceOf(tokenIn)
  const amountInUnits = plan.fees.gasFee + plan.fees.transactionFee + plan.fees.extraFee + plan.fees.net
  return {
    quoteId: built.hash,
    provider: inputs.providerId,
    walletAddress: request.walletAddress,
    toAddress: request.toAddress,
    chainIn: request.chainIdIn,
    chainOut: request.chainIdOut,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn: request.amountIn,
    amountOut: decimalFromBaseUnits(plan.route.amountOut, tokenOut.decimals),
    minAmountOut: decimalFromBaseUnits(plan.minAmountOut, tokenOut.decimals),
    amountInUsd: usdValueOrNull(amountInUnits, tokenIn, priceIn),
    amountOutUsd: usdValueOrNull(plan.route.amountOut, tokenOut, priceOf(tokenOut)),
    tokenInPriceUsd: priceIn === undefined ? null : decimalFromPrice(priceIn),
    estimatedExecutionTime: DateTime.add(inputs.quotedAt, { milliseconds: inclusionEstimateMs(request.chainIdIn) }),
    expiresAt: inputs.expiresAt,
    gas: {
      payGasFeeToken: payGasFeeToken.address,
      maxGasFeeToken: decimalFromBaseUnits(gasFee.maxToken, payGasFeeToken.decimals),
      gasFeeTokenAmount: decimalFromBaseUnits(gasFee.expectedToken, payGasFeeToken.decimals),
      gasFeeTokenAmountUsd: usdValueOrNull(gasFee.expectedToken, payGasFeeToken, priceOf(payGasFeeToken)),
      maxGasFeeNative: decimalFromBaseUnits(gasFee.maxWei, 18)
    },
    collectedFee: collectedFeeOf(tokenIn, plan.fees, request, inputs.collectors),
    fees: feesOf(inputs),
    signData: built.signData,
    revertReason: built.simulation.revert,
    preview: {
      calls: built.calls.map((call) => ({
        to: call.to,
        value: decimalFromBaseUnits(call.value, 18),
        data: call.data,
        summary: call.summary
      })),
      assetChanges: assetChanges(request.walletAddress, built.simulation.transfers, inputs.knownTokens)
    },
    metadata: request.metadata
  }
}

/** Seconds from now until the quote's operation should have executed. */
export const executionSeconds = (quote: SwapQuote): number => chainOf(quote.chainIn).blockTimeMs / 500
