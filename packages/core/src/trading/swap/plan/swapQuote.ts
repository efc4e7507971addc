import type { Movement } from "../../../accounting/history/index.ts"
import { bitcoinCoin, virtualBytes } from "../../../bitcoin/chain/index.ts"
import { depositStage, keyWarnings } from "../../../bitcoin/payments/index.ts"
import type { WalletAddress } from "../../../foundation/primitives/index.ts"
import { FINALITY } from "../../../operations/executions/index.ts"
import { isUserOperation } from "../../../operations/intents/index.ts"
import {
  contentOfPrepared,
  type ExpectedMovement,
  executionMs,
  expectedMovements,
  type PlannedStage,
  paidFees,
  quoteOfPrepared
} from "../../../operations/quotes/index.ts"
import { addressOf } from "../../../wallets/registry/index.ts"
import type { BitcoinSwapPreview } from "../BitcoinSwapPreview.ts"
import { endsOf } from "../provider/Offer.ts"
import { type Candidate, type SwapQuote, swapDetails, swapKind } from "../SwapContent.ts"
import { treasuryWarnings } from "./bitcoinPlan.ts"
import { priceImpactE18 } from "./priceImpact.ts"
import type { ReadySwap } from "./readySwaps.ts"
import type { SwapPayment } from "./SwapPayment.ts"
import type { SwapPlan } from "./swapPlan.ts"

/** From now until tokenOut should have arrived. */
export const swapMs = ({ order, prepared }: ReadySwap): number =>
  executionMs(prepared, order.request.chainIdIn, prepared.plan.offer.executionSeconds)

/** What a payment on Bitcoin's chain pays besides the swap. */
const paidOnBitcoin = (account: WalletAddress, { deposit, outputs }: SwapPayment): ReadonlyArray<ExpectedMovement> => {
  const paid = { direction: "OUT", account, token: bitcoinCoin } as const
  return [
    ...outputs.flatMap(
      ({ address, role, value }): ReadonlyArray<ExpectedMovement> =>
        role === "SERVICE_FEE" || role === "EXTRA_FEE"
          ? [{ ...paid, role: "FEE", amount: value, counterparty: address }]
          : []
    ),
    { ...paid, role: "GAS", amount: deposit.selection.fee, counterparty: null }
  ]
}

const previewOf = ({ deposit: { feeRate, selection }, outputs }: SwapPayment): BitcoinSwapPreview => ({
  inputs: selection.coins.map(({ txid, value, vout }) => ({ txid, vout, value })),
  outputs,
  change: selection.change,
  fee: selection.fee,
  feeRate,
  virtualSize: virtualBytes(selection.weight)
})

/** What follows the payment of a swap on Bitcoin's chain: nothing else tells when the block of an arrival stays. */
const stagesOf = ({ offer, payment }: SwapPlan): ReadonlyArray<PlannedStage> =>
  payment === undefined
    ? offer.stages
    : [depositStage(payment.confirmations), ...offer.stages, { name: FINALITY, intent: null, status: "COMPLETED" }]

/** The expected movements, as quoted. */
const expectedOf = ({ order, prepared, prices }: ReadySwap): ReadonlyArray<Movement> => {
  const { request, tokens, wallet } = order
  const { tokenIn, tokenOut } = tokens
  const { offer, payment, payments, split } = prepared.plan
  const account = addressOf(wallet)
  const { first, last } = endsOf(offer.route)
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token: tokenIn, amount: split.net, counterparty: first },
      ...paidFees(account, tokenIn, payments),
      ...(payment === undefined ? [] : paidOnBitcoin(account, payment)),
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

/** The first operation of two is the one that joins, where one has to. */
const joiningOperation = ({ order, prepared }: ReadySwap) => {
  const first = prepared.intents.find(isUserOperation)
  return order.joins.length === 0 || first === undefined ? {} : { joins: first.hash }
}

/** What is told with a quote besides what was prepared. */
export interface Beside {
  /** All providers that were asked. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Sentences on the chain that it goes to. */
  readonly warnings: ReadonlyArray<string>
}

/** The quote of a swap, to be stored under its id. */
export const swapQuoteOf = (swap: ReadySwap, id: string, { candidates, warnings }: Beside): SwapQuote => {
  const { order, prepared, prices, provider } = swap
  const { amountIn, collectors, project, request, tokens, wallet } = order
  const { fees, minAmountOut, offer, payment, split } = prepared.plan
  const { chainIdIn, chainIdOut, metadata } = request
  const known = {
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
    ...contentOfPrepared(prepared, known, [...fees, ...offer.fees], chainIdIn, offer.executionSeconds),
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
    ...joiningOperation(swap)
  }
  const type = order.limit !== null ? "LIMIT_ORDER" : chainIdIn === chainIdOut ? "SWAP" : "CROSS_SWAP"
  return quoteOfPrepared({
    id,
    project,
    wallet,
    kind: swapKind,
    prepared,
    answer: { type, content, expected: expectedOf(swap), details: swapDetails.of(provider), metadata },
    chainIdIn,
    chainIdOut,
    stages: stagesOf(prepared.plan)
  })
}
