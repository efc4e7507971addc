import { DateTime } from "effect"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import { currencyDigits } from "../../foundation/tokens/index.ts"
import type { FiatReport } from "../provider/FiatProvider.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { transitionOrder } from "./orderMove.ts"

/** Days from the order's expiry until a deposit without a payment ends. Bank transfers may take days. */
const PATIENCE_DAYS = 10

/** Returns whether the order is in a final state for which the fiat amount is known. */
const isSettled = ({ state }: FiatOrder): boolean => state === "COMPLETED" || state === "REFUNDED"

const amountDifference = ({
  fiatAmount,
  quote: { currency, direction, fiatAmount: quotedAmount }
}: FiatOrder): string | null => {
  const text = (amount: bigint) => `${decimalFromBaseUnits(amount, currencyDigits(currency))} ${currency}`
  if (fiatAmount === quotedAmount || direction === "WITHDRAWAL") return null
  return `${text(fiatAmount)} arrived instead of ${text(quotedAmount)}`
}

/**
 * Returns the order after a provider's report. If the state table does not allow the change, returns the same object.
 */
export const orderAfter = (order: FiatOrder, report: FiatReport, now: DateTime.Utc): FiatOrder => {
  const isAbandoned =
    report.state === "AWAITING_FUNDS" &&
    order.quote.direction === "DEPOSIT" &&
    DateTime.isGreaterThan(now, DateTime.add(order.expiresAt, { days: PATIENCE_DAYS }))
  const orderAfterMove = transitionOrder(order, isAbandoned ? "EXPIRED" : report.state, now, report.reason)
  if (orderAfterMove === order || !isSettled(orderAfterMove) || report.fiatAmount === null) return orderAfterMove
  const settledOrder = { ...orderAfterMove, fiatAmount: report.fiatAmount }
  return { ...settledOrder, reason: settledOrder.reason ?? amountDifference(settledOrder) }
}
