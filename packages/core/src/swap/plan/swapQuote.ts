import type { Movement } from "../../history/index.ts"
import { isUserOperation } from "../../intents/index.ts"
import { contentOfPrepared, executionMs, expectedMovements, paidFees, quoteOfPrepared } from "../../quotes/index.ts"
import { addressOf } from "../../wallets/index.ts"
import { endsOf } from "../provider/Offer.ts"
import { type Candidate, type SwapQuote, swapDetails, swapKind } from "../SwapContent.ts"
import { priceImpactE18 } from "./priceImpact.ts"
import type { ReadySwap } from "./readySwaps.ts"

/** From now until tokenOut should have arrived. */
export const swapMs = ({ order, prepared }: ReadySwap): number =>
  executionMs(prepared, order.request.chainIdIn, prepared.plan.offer.executionSeconds)

/** The expected movements, as quoted. */
const expectedOf = ({ order, prepared, prices }: ReadySwap): ReadonlyArray<Movement> => {
  const { request, tokens, wallet } = order
  const { tokenIn, tokenOut } = tokens
  const { offer, payments, split } = prepared.plan
  const account = addressOf(wallet)
  const { first, last } = endsOf(offer.route)
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token: tokenIn, amount: split.net, counterparty: first },
      ...paidFees(account, tokenIn, payments),
      {
        direction: "IN",
        role: "PRINCIPAL",
        account: request.toAddress,
        token: offer.arrivesAs ?? tokenOut,
        amount: offer.amountOut,
        counterparty: last
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
  const { fees, minAmountOut, offer, split } = prepared.plan
  const { chainIdIn, chainIdOut, metadata } = request
  const known = { ...prices, warnings: [...prices.warnings, ...(offer.notices ?? []), ...warnings] }
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
    stages: offer.stages
  })
}
