import type { Movement } from "../../../accounting/history/index.ts"
import { bitcoinToken, virtualBytes } from "../../../bitcoin/chain/index.ts"
import { depositStage, keyWarnings } from "../../../bitcoin/payments/index.ts"
import type { WalletAddress } from "../../../foundation/primitives/index.ts"
import { FINALITY } from "../../../operations/executions/index.ts"
import { isUserOperation } from "../../../operations/intents/index.ts"
import {
  type ExpectedMovement,
  estimateExecutionMs,
  expectedMovements,
  feeMovementsOf,
  type PlannedStage,
  preparedContent,
  preparedQuoteOf
} from "../../../operations/quotes/index.ts"
import { addressOf } from "../../../wallets/registry/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"
import { endpointContractsOf } from "../provider/Offer.ts"
import { type Candidate, type SwapQuote, swapDetails, swapKind } from "../SwapContent.ts"
import { treasuryWarnings } from "./bitcoinPlan.ts"
import { priceImpactE18 } from "./priceImpact.ts"
import type { ReadySwap } from "./readySwaps.ts"
import type { SwapPayment } from "./SwapPayment.ts"
import type { SwapPlan } from "./swapPlan.ts"

/** Returns the expected time until tokenOut arrives, in milliseconds. */
export const swapMs = ({ order, prepared }: ReadySwap): number =>
  estimateExecutionMs(prepared, order.request.chainIdIn, prepared.plan.offer.executionSeconds)

/** Returns the movements for a Bitcoin payment's miner fee, and for its outputs that do not belong to the swap. */
const bitcoinMovements = (
  account: WalletAddress,
  { deposit, outputs }: SwapPayment
): ReadonlyArray<ExpectedMovement> => {
  const paidOutput = { direction: "OUT", account, token: bitcoinToken } as const
  return [
    ...outputs.flatMap(
      ({ address, role, value }): ReadonlyArray<ExpectedMovement> =>
        role === "SERVICE_FEE" || role === "EXTRA_FEE"
          ? [{ ...paidOutput, role: "FEE", amount: value, counterparty: address }]
          : []
    ),
    { ...paidOutput, role: "GAS", amount: deposit.selection.fee, counterparty: null }
  ]
}

const previewOf = ({ deposit: { feeRate, selection }, outputs }: SwapPayment): BitcoinSwapPreview => ({
  inputs: selection.utxos.map(({ txid, value, vout }) => ({ txid, vout, value })),
  outputs,
  change: selection.change,
  fee: selection.fee,
  feeRate,
  virtualSize: virtualBytes(selection.weight)
})

/**
 * Returns the stages of a swap, except those of its user operations. A swap from Bitcoin ends with the finality stage,
 * because no other stage tracks the block in which the output arrives.
 */
const stagesOf = ({ offer, payment }: SwapPlan): ReadonlyArray<PlannedStage> =>
  payment === undefined
    ? offer.stages
    : [depositStage(payment.confirmations), ...offer.stages, { name: FINALITY, intent: null, status: "COMPLETED" }]

/** Returns the movements that the swap is expected to cause, with the quoted amounts. */
const expectedMovementsOf = ({ order, prepared, prices }: ReadySwap): ReadonlyArray<Movement> => {
  const { request, tokens, wallet } = order
  const { tokenIn, tokenOut } = tokens
  const { offer, payment, payments, split } = prepared.plan
  const account = addressOf(wallet)
  const { first, last } = endpointContractsOf(offer.route)
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token: tokenIn, amount: split.net, counterparty: first },
      ...feeMovementsOf(account, tokenIn, payments),
      ...(payment === undefined ? [] : bitcoinMovements(account, payment)),
      {
        direction: "IN",
        role: "PRINCIPAL",
        account: request.toAddress,
        token: offer.arrivesAs ?? tokenOut,
        amount: offer.amountOut,
        counterparty: offer.arrivesFrom ?? last
      }
    ],
    prices.usd
  )
}

/**
 * Returns the `joins` field: the hash of the allowlist operation, which runs before the swap's operation. Empty if that
 * operation is not needed.
 */
const joinsField = ({ order, prepared }: ReadySwap) => {
  const first = prepared.intents.find(isUserOperation)
  return order.joins.length === 0 || first === undefined ? {} : { joins: first.hash }
}

/** The data of a quote that do not come from the preparation. */
export interface SwapQuoteData {
  /** The results of all queried providers. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Warnings about the destination chain. */
  readonly warnings: ReadonlyArray<string>
}

/** Builds the quote of a swap, which is stored under `id`. */
export const swapQuoteOf = (swap: ReadySwap, id: string, { candidates, warnings }: SwapQuoteData): SwapQuote => {
  const { order, prepared, prices, provider } = swap
  const { amountIn, collectors, project, request, tokens, wallet } = order
  const { fees, minAmountOut, offer, payment, split } = prepared.plan
  const { chainIdIn, chainIdOut, metadata } = request
  const pricesWithWarnings = {
    ...prices,
    warnings: [
      ...prices.warnings,
      ...(offer.notices ?? []),
      ...treasuryWarnings(order),
      ...keyWarnings(order.wallet),
      ...warnings
    ]
  }
  const content = {
    ...preparedContent(prepared, pricesWithWarnings, [...fees, ...offer.fees], chainIdIn, offer.executionSeconds),
    request,
    tokens,
    provider,
    amountIn,
    amountOut: offer.amountOut,
    minAmountOut,
    certainty: offer.certainty,
    route: offer.route,
    priceImpactE18: priceImpactE18(offer, prices.usd),
    split,
    collectors,
    candidates,
    ...(payment === undefined ? {} : { bitcoin: previewOf(payment) }),
    ...joinsField(swap)
  }
  const type = order.limit !== null ? "LIMIT_ORDER" : chainIdIn === chainIdOut ? "SWAP" : "CROSS_SWAP"
  return preparedQuoteOf({
    id,
    project,
    wallet,
    kind: swapKind,
    prepared,
    response: { type, content, expected: expectedMovementsOf(swap), details: swapDetails.of(provider), metadata },
    chainIdIn,
    chainIdOut,
    stages: stagesOf(prepared.plan)
  })
}
