import type { PendingOrderCount, UnknownFiatOrder } from "@countersign/core/fiat"
import { DateTime } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText, isoText } from "../words.ts"

/**
 * Time after which the operator should contact the provider. Banks may take days, but a provider's review should not.
 */
const LATE_MS = 24 * 60 * 60_000

const waitsFor = ({ direction, state }: PendingOrderCount): string => {
  if (state === "IN_REVIEW") return "a reviewer of the provider or its bank"
  if (state !== "AWAITING_FUNDS") return "the bank"
  return direction === "DEPOSIT" ? "the payer's payment" : "the owner's signature"
}

const waitFinding = (wait: PendingOrderCount, now: DateTime.Utc): Finding => {
  const subject = `fiat ${wait.direction.toLowerCase()}s ${wait.state}`
  const detail = countText(wait.count, "order")
  const isLate = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(wait.oldestAt) > LATE_MS
  return isLate
    ? waiting(subject, `${detail}, the oldest for more than a day`, {
        waitsFor: waitsFor(wait),
        since: isoText(wait.oldestAt),
        byItself: "The service polls the provider every minute, and ends each order as the provider reports.",
        whatToDo:
          wait.state === "IN_REVIEW"
            ? "Find the order at the provider (`countersign fiat list`, `countersign fiat order ID`). If the provider's report can't match the order, end the order with `countersign fiat resolve`."
            : "Find the order at the provider (`countersign fiat list`, `countersign fiat order ID`), and contact the provider."
      })
    : ok(subject, `${detail}, for ${waitsFor(wait)}, since ${isoText(wait.oldestAt)}`)
}

/** Maximum number of orders that are read. Only the newest few are displayed. */
export const UNKNOWN_LIMIT = 100
const SHOWN_MAX = 3

/** Reports orders in provider callbacks that this service did not create. Empty if there are none. */
export const diagnoseUnknownFiat = (
  unknownOrders: CheckResult<ReadonlyArray<UnknownFiatOrder>>
): ReadonlyArray<Finding> => {
  // The finding about fiat orders already reports a failing database.
  if (unknownOrders._tag === "Unseen" || unknownOrders.value.length === 0) return []
  const newestOrders = unknownOrders.value
    .slice(0, SHOWN_MAX)
    .map(({ provider, providerOrder }) => `${provider} ${providerOrder}`)
  const omittedCount = unknownOrders.value.length - newestOrders.length
  const firstSeenAt = unknownOrders.value.map(({ firstAt }) => firstAt).reduce((a, b) => DateTime.min(a, b))
  return [
    waiting(
      "fiat messages",
      `${countText(unknownOrders.value.length, "order")} that providers report but this service did not create: ${newestOrders.join(", ")}${omittedCount === 0 ? "" : ` and ${omittedCount} more`}`,
      {
        waitsFor: "an operator who checks these orders",
        since: isoText(firstSeenAt),
        byItself:
          "The report of an order is deleted 30 days after its last callback, or when the service finds the order.",
        whatToDo:
          "Find the orders at the provider. Either another system uses the same account, or the database was restored from an earlier backup."
      }
    )
  ]
}

/** Reports pending deposits and withdrawals, by the step for which they wait. Empty if there are none. */
export const diagnoseFiat = (
  waits: CheckResult<ReadonlyArray<PendingOrderCount>>,
  now: DateTime.Utc
): ReadonlyArray<Finding> =>
  waits._tag === "Unseen"
    ? [waiting("fiat orders", `unknown: ${waits.reason}`, { waitsFor: "the database" })]
    : waits.value.map((wait) => waitFinding(wait, now))
