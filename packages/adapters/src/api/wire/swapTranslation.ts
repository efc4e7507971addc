import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import type { ChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, percentText } from "@countersign/core/foundation/primitives"
import { decimalFromPrice, pricesOf, type Token, tokenKey, usdValueOrNull } from "@countersign/core/foundation/tokens"
import type { Quote } from "@countersign/core/operations/quotes"
import {
  type BitcoinSwapPreview,
  type Candidate,
  rateRoundingDown,
  type SwapContent,
  type SwapQuote,
  type SwapQuotes
} from "@countersign/core/trading/swap"
import { DateTime } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { bitcoinSpendingBody } from "./bitcoin.ts"
import type { Hex } from "./fields.ts"
import { gasBody, minerFeeBody, previewBody, signingOf, tokenFinder } from "./preparedBody.ts"
import { routeBody } from "./route.ts"

const candidateBody = ({ skippedPools, ...candidate }: Candidate, tokenOut: Token) => ({
  ...candidate,
  leftOut: skippedPools,
  amountOut: candidate.amountOut === null ? null : amountText(candidate.amountOut, tokenOut)
})

/** Formats the price impact in percent with at most four decimals, rounded up, so that it is never understated. */
export const impactPercentRoundingUp = (impactE18: bigint): string => {
  const step = 10n ** 12n
  const percent = impactE18 > 0n ? (impactE18 + step - 1n) / step : impactE18 / step
  return percent < 0n ? `-${decimalFromBaseUnits(-percent, 4)}` : decimalFromBaseUnits(percent, 4)
}

/**
 * A swap in the format of a quote: a complete quote, or an element of a batch. The gas fee and the signing data of an
 * element belong to the batch.
 */
interface DisplayedSwap
  extends Pick<
    SwapContent,
    | "amountIn"
    | "amountOut"
    | "bitcoin"
    | "calls"
    | "collectors"
    | "estimatedExecutionTime"
    | "fees"
    | "gas"
    | "minAmountOut"
    | "priceImpactE18"
    | "prices"
    | "provider"
    | "route"
    | "split"
  > {
  readonly quote: Quote
  readonly tokens: Pick<SwapContent["tokens"], "payGasFeeToken" | "tokenIn" | "tokenOut">
  readonly chainIdIn: ChainId
  readonly chainIdOut: ChainId
  readonly transactionFeePercent: number
  readonly walletAddress: string
  readonly toAddress: string
  /** Allowances, balance changes and fees of the quote, or of the batch that contains the swap. */
  readonly previewSource: Parameters<typeof previewBody>[2]
  readonly signing: Omit<ReturnType<typeof signingOf>, "signData" | "typedData" | "userOperations">
}

/** Serializes the project's and the operator's part of the fee. A limit order pays it in the bought token. */
const collectedAmountsBody = ({ collectors, fees, quote, split, tokens: { tokenIn, tokenOut } }: DisplayedSwap) => {
  if (quote.transaction.type !== "LIMIT_ORDER") {
    return {
      collectedFeeToken: tokenIn.address,
      collectedFee: amountText(split.treasuryFee, tokenIn),
      serviceCollectedFee: amountText(split.operatorFee, tokenIn)
    }
  }
  const serviceFees = fees.filter(({ type }) => type === "SERVICE")
  // The treasury's fee is listed before the operator's. A fee of zero is not listed.
  const hasOperatorFee = collectors.operatorTreasury !== null && collectors.operatorSharePercent > 0
  const operatorFee = hasOperatorFee ? serviceFees.at(-1) : undefined
  const treasuryFee = serviceFees.find((fee) => fee !== operatorFee)
  return {
    collectedFeeToken: tokenOut.address,
    collectedFee: amountText(treasuryFee?.amount ?? 0n, tokenOut),
    serviceCollectedFee: amountText(operatorFee?.amount ?? 0n, tokenOut)
  }
}

export const swapBody = (swap: DisplayedSwap) => {
  const { collectors, priceImpactE18, quote, split } = swap
  const { payGasFeeToken, tokenIn, tokenOut } = swap.tokens
  const find = tokenFinder([tokenIn, tokenOut, payGasFeeToken])
  const prices = pricesOf(swap.prices)
  const priceOf = (token: Token) => prices.get(tokenKey(token))
  const priceIn = priceOf(tokenIn)
  const soldAmount = { token: tokenIn, amount: swap.amountIn }
  const boughtAmount = { token: tokenOut, amount: swap.amountOut }
  const { authorization, quoteId, revertReason, userOperationHash } = swap.signing
  // `collectors.treasury` is an EVM address, so it does not show whether a Bitcoin swap pays the fee. On Bitcoin only
  // the project's treasury collects a fee.
  const isCollected = swap.chainIdIn === 0 ? split.transactionFee > 0n : collectors.treasury !== null
  return {
    type: quote.transaction.type === "LIMIT_ORDER" ? ("LIMIT_ORDER" as const) : ("SWAP" as const),
    metadata: quote.metadata,
    ...revertReason,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn: amountText(swap.amountIn, tokenIn),
    minAmountOut: amountText(swap.minAmountOut, tokenOut),
    amountOut: amountText(swap.amountOut, tokenOut),
    rate: rateRoundingDown(soldAmount, boughtAmount),
    inverseRate: rateRoundingDown(boughtAmount, soldAmount),
    priceImpactPercent: priceImpactE18 === null ? null : impactPercentRoundingUp(priceImpactE18),
    route: routeBody(swap.route, tokenIn, tokenOut),
    chainIn: swap.chainIdIn,
    chainOut: swap.chainIdOut,
    estimatedExecutionTime: DateTime.formatIso(swap.estimatedExecutionTime),
    estimatedGasFees:
      swap.bitcoin === undefined ? gasBody(swap.gas, payGasFeeToken, prices) : minerFeeBody(swap.bitcoin.fee, prices),
    estimatedCollectedFee: {
      ...collectedAmountsBody(swap),
      collectedFeePercent: percentText(isCollected ? swap.transactionFeePercent : 0),
      serviceCollectedFeePercent: percentText(
        collectors.operatorTreasury === null ? 0 : collectors.operatorSharePercent
      )
    },
    amountInUSD: usdValueOrNull(swap.amountIn, tokenIn, priceIn),
    amountOutUSD: usdValueOrNull(swap.amountOut, tokenOut, priceOf(tokenOut)),
    tokenInPrice: priceIn === undefined ? null : decimalFromPrice(priceIn),
    swapProvider: swap.provider,
    expiresAt: Math.floor(DateTime.toEpochMillis(quote.expiresAt) / 1000),
    fees: swap.fees.map((fee) => feeBody(fee, find)),
    userOperationHash,
    quoteId,
    ...authorization,
    walletAddress: swap.walletAddress,
    toAddress: swap.toAddress,
    preview: previewBody(swap.chainIdIn, swap.calls, swap.previewSource, find)
  }
}

const limitOrderBody = ({ intents }: Quote) => {
  const intent = intents.find(({ type }) => type === "LIMIT_ORDER")
  if (intent?.type !== "LIMIT_ORDER" || intent.order === undefined) return {}
  const { appData, scheme } = intent.order
  const expiresAt = DateTime.formatIso(intent.validTo)
  return { limitOrder: { uid: intent.uid as Hex, appData, signingScheme: scheme, expiresAt } }
}

const bitcoinBody = (bitcoin: BitcoinSwapPreview) => ({
  ...bitcoinSpendingBody(bitcoin),
  outputs: bitcoin.outputs.map(({ value, ...output }) => ({ ...output, amount: amountText(value, bitcoinToken) }))
})

export const quoteBody = ({ content, quote }: SwapQuote) => {
  const signing = signingOf(quote)
  const { signData, typedData, userOperations } = signing
  return {
    ...swapBody({ ...content.request, ...content, quote, previewSource: content, signing }),
    amountIn: content.request.amountIn,
    ...typedData,
    ...(content.joins === undefined
      ? {}
      : { rwaApproveUserOperation: { userOperationHash: content.joins, ...signing.authorization } }),
    ...limitOrderBody(quote),
    ...(content.bitcoin === undefined ? {} : { bitcoin: bitcoinBody(content.bitcoin) }),
    signData,
    warnings: content.warnings,
    userOperations,
    candidates: content.candidates.map((candidate) => candidateBody(candidate, content.tokens.tokenOut))
  }
}

export const quotesBody = ({ quotes }: Pick<SwapQuotes, "quotes">) => ({ quotes: quotes.map(quoteBody) })
