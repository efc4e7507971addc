import type { Transaction } from "@countersign/core/accounting/history"
import { type FiatRatesE18, fiatCodes, pricesOf } from "@countersign/core/foundation/tokens"
import type { Cancellation, CancelQuote } from "@countersign/core/trading/limit-orders"
import { DateTime } from "effect"
import { fiatValue, type historyBody } from "./historyTranslation.ts"
import { lendingFeeBodies } from "./lendingTranslation.ts"
import { gasBody, operationSigningOf, previewBody, tokenFinder } from "./preparedBody.ts"
import { signDataOfElement } from "./signData.ts"

const zeroAmount = { amount: "0", amountIn: Object.fromEntries(fiatCodes.map((code) => [code, "0"])) } as {
  amount: string
  amountIn: NonNullable<ReturnType<typeof historyBody>["receivedAmount"]>["amountIn"]
}

const emptyOperationFields = {
  expiresAt: null,
  fees: [],
  quoteId: null,
  userOperationHash: null,
  userOperations: [],
  estimatedGasFees: null,
  preview: null
}

const operationBody = ({ content, quote }: CancelQuote, rates: FiatRatesE18) => {
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } =
    operationSigningOf(quote)
  const { payGasFeeToken } = content
  const find = tokenFinder([payGasFeeToken])
  const prices = pricesOf(content.prices)
  return {
    signData,
    expiresAt: DateTime.formatIso(quote.expiresAt),
    fees: lendingFeeBodies(content, prices).map((fee) => ({
      ...fee,
      amount: { ...fee.amount, brl: fiatValue(fee.amount.usd, "brl", rates) }
    })),
    quoteId,
    userOperationHash,
    userOperations,
    ...authorization,
    ...revertReason,
    estimatedGasFees: gasBody(content.gas, payGasFeeToken, prices),
    preview: previewBody(payGasFeeToken.chainId, content.calls, content, find)
  }
}

/** Builds the response to a cancellation, with the order's transaction in the history. */
export const cancellationBody = (
  cancellation: Cancellation,
  { id }: Pick<Transaction, "id">,
  transactionBody: ReturnType<typeof historyBody>,
  orderUid: string | null,
  rates: FiatRatesE18
) => {
  const receivedAmount = transactionBody.movements.some(({ direction }) => direction === "IN")
    ? transactionBody.receivedAmount
    : null
  const sharedFields = {
    id,
    orderUid,
    receivedAmount:
      receivedAmount === null ? zeroAmount : { amount: receivedAmount.amount, amountIn: receivedAmount.amountIn }
  }
  switch (cancellation._tag) {
    case "Signature":
      return {
        ...sharedFields,
        ...emptyOperationFields,
        requiresExecution: false,
        status: "PENDING_SIGNATURE" as const,
        substatus: null,
        signData: [signDataOfElement(cancellation.element)]
      }
    case "Operation": {
      const { signData, ...operation } = operationBody(cancellation.quoted, rates)
      return {
        ...sharedFields,
        ...operation,
        signData: [signDataOfElement(cancellation.element), ...signData],
        requiresExecution: true,
        status: "PENDING_SIGNATURE" as const,
        substatus: null
      }
    }
    case "Cancelled":
      return {
        ...sharedFields,
        ...emptyOperationFields,
        requiresExecution: false,
        status: cancellation.status,
        substatus: cancellation.substatus,
        signData: []
      }
  }
}
