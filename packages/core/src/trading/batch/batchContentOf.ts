import type { Movement } from "../../accounting/history/index.ts"
import type { QuotedPrices } from "../../foundation/tokens/index.ts"
import {
  arrivingAmounts,
  type ExpectedMovement,
  expectedMovements,
  feeMovementsOf,
  type PlannedPayment,
  type PreparedOperation,
  preparedContent,
  shortPaymentWarnings
} from "../../operations/quotes/index.ts"
import { endpointContractsOf, priceImpactE18 } from "../swap/index.ts"
import type { BatchContent, BatchElement } from "./BatchContent.ts"
import { batchDetails } from "./batchDetails.ts"
import type { BatchOrder } from "./batchOrders.ts"
import type { BatchPlan } from "./batchPlan.ts"

/** Returns the amounts that the batch pays out: the transferred amounts and the minimum outputs of the swaps. */
const paymentsOf = ({ wallet }: BatchOrder, { elements }: BatchPlan): ReadonlyArray<PlannedPayment> =>
  elements.map((element) =>
    element.type === "transfer"
      ? { token: element.token, to: element.toAddress, amount: element.split.net, from: wallet.account.address }
      : { token: element.tokenOut, to: element.toAddress, amount: element.minAmountOut }
  )

/** Builds the content of a batch quote. */
export const batchContentOf = (
  order: BatchOrder,
  preparedOperation: PreparedOperation<BatchPlan>,
  prices: QuotedPrices
): BatchContent => {
  const { collectors, payGasFeeToken, request } = order
  const { elements } = preparedOperation.plan
  const fees = elements.flatMap((element) => (element.type === "swap" ? element.fees : []))
  const payments = paymentsOf(order, preparedOperation.plan)
  const receivedAmounts = arrivingAmounts(payments, preparedOperation.simulation.transfers)
  const shortfalls = payments.flatMap((payment, i) => shortPaymentWarnings(payment, receivedAmounts[i]!))
  const pricesWithWarnings = { ...prices, warnings: [...prices.warnings, ...shortfalls] }
  const elementOf = (element: BatchElement, i: number): BatchElement => {
    if (element.type === "swap") return { ...element, priceImpactE18: priceImpactE18(element, prices.usd) }
    return receivedAmounts[i] === element.split.net ? element : { ...element, arriving: receivedAmounts[i]! }
  }
  return {
    ...preparedContent(preparedOperation, pricesWithWarnings, fees, request.chainId),
    request,
    payGasFeeToken,
    elements: elements.map(elementOf),
    collectors
  }
}

/** Returns the movements that the batch is expected to cause, with the quoted amounts. */
export const expectedBatchMovements = (
  { wallet }: BatchOrder,
  { divisions, elements }: BatchPlan,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const account = wallet.account.address
  const outgoingFields = { direction: "OUT", role: "PRINCIPAL", account } as const
  const plannedMovements = elements.flatMap((element, i): ReadonlyArray<ExpectedMovement> => {
    const amount = element.split.net
    if (element.type === "transfer")
      return [{ ...outgoingFields, token: element.token, amount, counterparty: element.toAddress }]
    const { first, last } = endpointContractsOf(element.route)
    const { amountOut, toAddress, tokenIn, tokenOut } = element
    return [
      { ...outgoingFields, token: tokenIn, amount, counterparty: first },
      ...feeMovementsOf(account, tokenIn, divisions[i]!.payments),
      {
        direction: "IN",
        role: "PRINCIPAL",
        account: toAddress,
        token: tokenOut,
        amount: amountOut,
        counterparty: last
      }
    ]
  })
  return expectedMovements(plannedMovements, usd)
}

/** Returns the elements that the transaction's `details` store. */
export const toBatchDetails = ({ elements }: BatchPlan) =>
  batchDetails.of(
    elements.map((element) => {
      const { split, toAddress, type } = element
      if (type === "transfer") return { type, token: element.token.address, amount: split.net, toAddress }
      const { amountOut, route, tokenIn, tokenOut } = element
      const payers = route.flatMap(({ hops }) => hops.at(-1)?.through ?? [])
      return {
        type,
        tokenIn: tokenIn.address,
        amountIn: split.net,
        tokenOut: tokenOut.address,
        amountOut,
        toAddress,
        payers: [...new Set(payers)]
      }
    })
  )
