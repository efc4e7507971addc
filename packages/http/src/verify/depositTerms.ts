import type { LiquidityAddition, LiquidityCreation } from "../client/resources.ts"
import { echoedFields, feesOf, parseUnits } from "./amounts.ts"
import { address } from "./bytes.ts"
import { areTicksAround, areTicksNear, fractionOf, type RequestedPrices } from "./prices.ts"
import type { RequestedDeposit, Terms } from "./requestTerms.ts"
import type { LiquidityRequest, Trust } from "./shapes.ts"
import {
  conventionOf,
  knownPosition,
  placementEchoes,
  priceIn,
  quotedDepositValues,
  type Subject,
  sharedTerms,
  type TokenOrder,
  tokenOrderOf
} from "./shownPosition.ts"

/** Derives the terms of a deposit into a new or an existing position. */

type Deposit = Extract<LiquidityRequest, { amountIn: string }>

/** Builds the terms of a deposit. The amounts that leave the wallet pay the fees and fund the position. */
const depositTerms = (
  subject: Subject & { readonly request: Deposit; readonly quote: LiquidityCreation | LiquidityAddition },
  deposit: RequestedDeposit
): Terms => {
  const { quote, request } = subject
  const { decimalsOf, liquidity, terms } = sharedTerms(subject)
  const tokenIn = address(request.tokenIn)
  const amount = parseUnits(request.amountIn, decimalsOf(tokenIn))
  return {
    ...terms,
    elements: [
      {
        tokenIn,
        amount,
        to: terms.wallet,
        ...feesOf(amount, request),
        deductsGas: request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT",
        out: "POSITION"
      }
    ],
    liquidity: { ...liquidity, placing: deposit },
    echoes: [
      ...terms.echoes,
      ...placementEchoes(quote, deposit.pool.fee),
      ...echoedFields("", quote, { chain: request.chainId, amountIn: request.amountIn }),
      ...echoedFields("tokenIn.", quote.tokenIn, { address: request.tokenIn, chainId: request.chainId })
    ]
  }
}

const pipsOf = (percent: number): number => {
  const { over, under } = fractionOf(percent)
  return Number((over * 10_000n) / under)
}

type Create = Extract<LiquidityRequest, { poolFeePercent: number }>

export const createTerms = (request: Create, quote: LiquidityCreation, trust: Trust): Terms => {
  const subject = { quote, request, trust }
  const { decimalsOf, pooled } = sharedTerms(subject)
  const [first, second] = [pooled(request.token0), pooled(request.token1)]
  const tokenOrder: TokenOrder = { isReversed: first > second, decimals: [decimalsOf(first), decimalsOf(second)] }
  const [token0, token1] = tokenOrder.isReversed ? [second, first] : [first, second]
  const fee = pipsOf(request.poolFeePercent)
  const terms = depositTerms(subject, {
    tokenId: null,
    recipient: address(request.toAddress),
    pool: { token0, token1, fee },
    isRange: (ticks) => areTicksAround(ticks, request, conventionOf(tokenOrder), fee),
    ticks: null,
    createsPool: quote.poolCreated,
    priceOf: priceIn(tokenOrder),
    shown: quotedDepositValues(quote, tokenOrder)
  })
  const { toAddress, token0: requestedToken0, token1: requestedToken1 } = request
  return {
    ...terms,
    echoes: [
      ...terms.echoes,
      ...echoedFields("", quote, { toAddress, token0: requestedToken0, token1: requestedToken1, tokenId: null })
    ]
  }
}

type Add = Extract<LiquidityRequest, { amountIn: string; tokenId: string }>

export const addTerms = (request: Add, quote: LiquidityAddition, trust: Trust): Terms => {
  const subject = { quote, request, trust }
  const existingPosition = knownPosition(request.tokenId, trust)
  const { decimalsOf } = sharedTerms(subject)
  const { echoes, naming } = tokenOrderOf(existingPosition, quote, decimalsOf)
  const requestedPrices: RequestedPrices = request
  const terms = depositTerms(subject, {
    tokenId: existingPosition.id,
    recipient: address(request.walletAddress),
    pool: existingPosition,
    isRange: (ticks) => areTicksNear(ticks, requestedPrices, conventionOf(naming), existingPosition.fee),
    ticks: existingPosition,
    createsPool: false,
    priceOf: priceIn(naming),
    shown: quotedDepositValues(quote, naming)
  })
  const { tokenId, walletAddress: toAddress } = request
  return {
    ...terms,
    echoes: [...terms.echoes, ...echoes, ...echoedFields("", quote, { toAddress, tokenId, poolCreated: false })]
  }
}
