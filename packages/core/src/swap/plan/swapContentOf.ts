import { DateTime } from "effect"
import type { Fee } from "../../fees/index.ts"
import { feePayments, listedFees } from "../../fees/index.ts"
import { type Movement, pendingLeg, type TransactionDraft } from "../../history/index.ts"
import { type GasFee, type Intent, isUserOperation, mainOperation } from "../../intents/index.ts"
import {
  type AssetChange,
  gasFeeOf,
  operationLegs,
  operationStages,
  type PlannedStage,
  type Quote,
  type RemainingAllowance
} from "../../quotes/index.ts"
import {
  type ByToken,
  storedPrices,
  type Token,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "../../tokens/index.ts"
import { type Call, inclusionEstimateMs, type RevertReason } from "../../user-operations/index.ts"
import { addressOf } from "../../wallets/index.ts"
import { endsOf } from "../provider/Offer.ts"
import type { SwapContent } from "../SwapContent.ts"
import { swapKind } from "../SwapContent.ts"
import type { SwapOrder } from "../SwapOrder.ts"
import { priceImpactE18 } from "./priceImpact.ts"
import type { SwapPlan } from "./swapPlan.ts"

/** A swap that is ready to be signed, from whichever kind of intent. */
export interface ReadySwap {
  readonly order: SwapOrder
  readonly provider: string
  readonly plan: SwapPlan
  readonly intents: ReadonlyArray<Intent>
  readonly gas: GasFee | null
  readonly calls: ReadonlyArray<Call>
  readonly assetChanges: ReadonlyArray<AssetChange>
  readonly allowances: ReadonlyArray<RemainingAllowance>
  readonly revertReason: RevertReason | null
  readonly prices: ByToken<UsdPriceE18>
  readonly warnings: ReadonlyArray<string>
  readonly quotedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

const gasFeesOf = ({ gas, intents }: ReadySwap): ReadonlyArray<Fee> => {
  const operation = mainOperation(intents)
  return gas === null || operation === null ? [] : [gasFeeOf(gas, operation)]
}

const feesOf = (swap: ReadySwap): ReadonlyArray<Fee> => [
  ...gasFeesOf(swap),
  ...listedFees(swap.order.tokens.tokenIn, swap.plan.split, swap.order.request, swap.order.collectors),
  ...swap.plan.offer.fees
]

/** The computed content of a swap, without the candidates. */
export const swapContentOf = (swap: ReadySwap): SwapContent => {
  const { order, plan } = swap
  return {
    request: order.request,
    tokens: order.tokens,
    provider: swap.provider,
    amountIn: order.amountIn,
    amountOut: plan.offer.amountOut,
    minAmountOut: plan.minAmountOut,
    certainty: plan.offer.certainty,
    route: plan.offer.route,
    priceImpactE18: priceImpactE18(plan.offer, swap.prices),
    split: plan.split,
    collectors: order.collectors,
    fees: feesOf(swap),
    gas: swap.gas,
    prices: storedPrices(swap.prices),
    warnings: swap.warnings,
    calls: swap.calls,
    assetChanges: swap.assetChanges,
    allowances: swap.allowances,
    estimatedExecutionTime: DateTime.add(swap.quotedAt, { milliseconds: executionMs(swap) }),
    candidates: []
  }
}

/** From now until tokenOut should have arrived. */
export const executionMs = ({ intents, order, plan }: Pick<ReadySwap, "intents" | "order" | "plan">): number => {
  const chainId = order.request.chainIdIn
  const operationsBefore = Math.max(0, operationsOf(intents).length - 1)
  return (
    inclusionEstimateMs(chainId, operationsBefore) +
    Math.max(plan.offer.executionSeconds * 1_000, inclusionEstimateMs(chainId))
  )
}

const operationsOf = (intents: ReadonlyArray<Intent>) => intents.filter(isUserOperation)

/** The expected movements, as quoted. */
const expectedOf = ({ order, plan, prices }: ReadySwap): ReadonlyArray<Movement> => {
  const { collectors, recipient, request, tokens, wallet } = order
  const account = addressOf(wallet)
  const move = (
    token: Token,
    amount: bigint,
    fields: Pick<Movement, "account" | "counterparty" | "direction" | "role">
  ): Movement => ({
    ...fields,
    asset: { chainId: token.chainId, token: token.address },
    amount,
    usd: usdValueOrNull(amount, token, prices.get(tokenKey(token))),
    leg: 0
  })
  const payments = feePayments(plan.split, request, collectors)
  const ends = endsOf(plan.offer.route)
  return [
    move(tokens.tokenIn, plan.split.net, {
      direction: "OUT",
      role: "PRINCIPAL",
      account,
      counterparty: ends.first
    }),
    ...payments.map((payment) =>
      move(tokens.tokenIn, payment.amount, {
        direction: "OUT",
        role: "FEE",
        account,
        counterparty: payment.recipient
      })
    ),
    move(tokens.tokenOut, plan.offer.amountOut, {
      direction: "IN",
      role: "PRINCIPAL",
      account: recipient,
      counterparty: ends.last
    })
  ]
}

/** The draft of a swap's transaction in the wallet's history. */
export const swapDraftOf = (swap: ReadySwap): TransactionDraft => {
  const { chainIdIn, chainIdOut, minAmountOut } = swap.order.request
  const operations = operationsOf(swap.intents)
  return {
    type: minAmountOut !== undefined ? "LIMIT_ORDER" : chainIdIn === chainIdOut ? "SWAP" : "CROSS_SWAP",
    chainIdIn,
    chainIdOut,
    expected: expectedOf(swap),
    legs: operations.length === 0 ? [pendingLeg(chainIdIn, 0)] : operationLegs(operations),
    fees: feesOf(swap),
    details: { swapProvider: swap.provider }
  }
}

/** The stages of a swap: the operations' inclusion, the provider's stages, and the finality of the blocks. */
export const swapStagesOf = ({ intents, plan }: ReadySwap): ReadonlyArray<PlannedStage> => {
  const operations = operationsOf(intents)
  return operations.length === 0 ? plan.offer.stages : operationStages(operations, plan.offer.stages)
}

/** The stored quote of a swap. */
export const swapQuoteOf = (swap: ReadySwap, id: string, content: SwapContent): Quote => ({
  id,
  projectId: swap.order.project.id,
  walletAddress: addressOf(swap.order.wallet),
  kind: swapKind.kind,
  content: swapKind.encode(content),
  prices: storedPrices(swap.prices),
  intents: swap.intents,
  stages: swapStagesOf(swap),
  transaction: swapDraftOf(swap),
  revertReason: swap.revertReason,
  metadata: swap.order.request.metadata,
  createdAt: swap.quotedAt,
  expiresAt: swap.expiresAt,
  executionMs: executionMs(swap)
})
