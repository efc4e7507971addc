import type { LiquidityRebalance, LiquidityWithdrawal } from "../client/resources.ts"
import { echoedFields, minOutputOf, percentRoundingDown } from "./amounts.ts"
import { address, parseInteger, Unreadable } from "./bytes.ts"
import { areTicksAround } from "./prices.ts"
import type { RequestedWithdrawal, Terms } from "./requestTerms.ts"
import type { LiquidityRequest, Trust } from "./shapes.ts"
import {
  amountsInPoolOrder,
  conventionOf,
  knownPosition,
  placementEchoes,
  priceIn,
  quotedDepositValues,
  type Subject,
  sharedTerms,
  tokenOrderOf
} from "./shownPosition.ts"

/** Derives the terms of a withdrawal from a position, for a payout or for a rebalance to another range. */

type WithdrawOrRebalance = Extract<LiquidityRequest, { toAddress: string; tokenId: string }>

/** Builds the terms that payouts and rebalances share. */
const sharedWithdrawalTerms = (
  subject: Subject & {
    readonly request: WithdrawOrRebalance
    readonly quote: LiquidityWithdrawal | LiquidityRebalance
  },
  percentage: number
) => {
  const { quote, request, trust } = subject
  const { decimalsOf, liquidity, terms } = sharedTerms(subject)
  const existingPosition = knownPosition(request.tokenId, trust)
  const { echoes, naming } = tokenOrderOf(existingPosition, quote, decimalsOf)
  const { chainId, extraFee, toAddress, tokenId, transactionFeePercent = 0 } = request
  const takenLiquidity = percentRoundingDown(existingPosition.liquidity, percentage)
  const collectedAmounts = amountsInPoolOrder(quote.collected, naming)
  const requestedWithdrawal: RequestedWithdrawal = {
    tokenId: existingPosition.id,
    ticks: existingPosition,
    liquidity: takenLiquidity,
    // Also true for any percentage if the position has no liquidity.
    isAll: takenLiquidity === existingPosition.liquidity,
    shown: {
      liquidity: null,
      burned: null,
      removed: amountsInPoolOrder(quote.removed, naming),
      collected: collectedAmounts
    }
  }
  return {
    decimalsOf,
    known: existingPosition,
    naming,
    taking: requestedWithdrawal,
    terms: {
      ...terms,
      echoes: [
        ...terms.echoes,
        ...echoes,
        ...echoedFields("", quote, {
          chainId,
          payGasFeeToken: terms.gasToken,
          toAddress,
          tokenId,
          transactionFeePercent
        })
      ]
    },
    liquidity: {
      ...liquidity,
      open: { tokens: [existingPosition.token0, existingPosition.token1], promised: collectedAmounts } as const,
      taking: requestedWithdrawal,
      shares: {
        service: transactionFeePercent,
        extra: extraFee === undefined ? null : { to: address(extraFee.toAddress), percent: extraFee.percentage }
      }
    }
  }
}

const SCALE = 10n ** 18n

/**
 * Computes an amount before fees from the amount after fees, rounded up. The fees are in percent of the amount before
 * fees.
 */
const amountBeforeFeesRoundingUp = (amountAfterFees: bigint, ...percents: ReadonlyArray<number>): bigint => {
  const remainingShare = percents.reduce((share, percent) => share - percentRoundingDown(SCALE, percent), SCALE)
  if (remainingShare <= 0n) throw new Unreadable("the fees are not lower than the amount")
  return (amountAfterFees * SCALE) / remainingShare + 1n
}

type Withdraw = Extract<LiquidityRequest, { percentage: number }>

export const withdrawTerms = (request: Withdraw, quote: LiquidityWithdrawal, trust: Trust): Terms => {
  const { decimalsOf, liquidity, taking, terms } = sharedWithdrawalTerms({ quote, request, trust }, request.percentage)
  const { percentage, tokenOut } = request
  const token = address(tokenOut)
  const { extra, service } = liquidity.shares
  const amountBeforeFees = (amount: bigint) => amountBeforeFeesRoundingUp(amount, service, extra?.percent ?? 0)
  const minAmount = minOutputOf(request, quote, trust.minAmountsOut?.[0], decimalsOf(token), amountBeforeFees)
  return {
    ...terms,
    echoes: [...terms.echoes, ...echoedFields("", quote, { percentage, tokenOut })],
    liquidity: {
      ...liquidity,
      taking: { ...taking, shown: { ...taking.shown, liquidity: parseInteger(quote.liquidity), burned: quote.burned } },
      payout: { to: address(request.toAddress), token, minAmount }
    }
  }
}

type Rebalance = Extract<LiquidityRequest, { newPosition: object }>

export const rebalanceTerms = (request: Rebalance, quote: LiquidityRebalance, trust: Trust): Terms => {
  const { known: existingPosition, liquidity, naming, terms } = sharedWithdrawalTerms({ quote, request, trust }, 100)
  const { newPosition } = request
  // Requests state the prices of an existing position in the pool's token order.
  const convention = conventionOf({ ...naming, isReversed: false })
  return {
    ...terms,
    echoes: [
      ...terms.echoes,
      ...placementEchoes(quote, existingPosition.fee),
      ...echoedFields("newPosition.", quote.newPosition, { ...newPosition })
    ],
    liquidity: {
      ...liquidity,
      placing: {
        tokenId: null,
        recipient: address(request.toAddress),
        pool: existingPosition,
        isRange: (ticks) => areTicksAround(ticks, newPosition, convention, existingPosition.fee),
        ticks: null,
        createsPool: false,
        priceOf: priceIn(naming),
        shown: quotedDepositValues(quote, naming)
      }
    }
  }
}
