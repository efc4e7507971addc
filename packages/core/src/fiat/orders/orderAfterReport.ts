import { DateTime } from "effect"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import { currencyDigits } from "../../foundation/tokens/index.ts"
import type { FiatReport } from "../provider/FiatProvider.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { transitionOrder } from "./orderMove.ts"

/** Days from the order's expiry until a deposit without a payment ends. Bank transfers may take days. */
const PATIENCE_DAYS = 10

/** Returns whether a deposit has been unpaid for so long that the service ends it. */
export const isAbandoned = ({ expiresAt, quote: { direction }, state }: FiatOrder, now: DateTime.Utc): boolean =>
  direction === "DEPOSIT" &&
  state === "AWAITING_FUNDS" &&
  DateTime.isGreaterThan(now, DateTime.add(expiresAt, { days: PATIENCE_DAYS }))

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
  const nextState = report.state === "AWAITING_FUNDS" && isAbandoned(order, now) ? "EXPIRED" : report.state
  const orderAfterMove = transitionOrder(order, nextState, now, report.reason)
  if (orderAfterMove === order || !isSettled(orderAfterMove) || report.fiatAmount === null) return orderAfterMove
  const settledOrder = { ...orderAfterMove, fiatAmount: report.fiatAmount }
  return { ...settledOrder, reason: settledOrder.reason ?? amountDifference(settledOrder) }
}
