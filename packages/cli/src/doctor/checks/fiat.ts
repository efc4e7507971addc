import type { FiatWait } from "@countersign/core/fiat"
import { DateTime } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { Observed } from "../Observed.ts"
import { count, iso } from "../words.ts"

/** Past this somebody should ask: banks take days, and a review of theirs should not. */
const LATE_MS = 24 * 60 * 60_000

const waitsFor = ({ direction, state }: FiatWait): string => {
  if (state === "IN_REVIEW") return "a reviewer of the provider or its bank"
  if (state !== "AWAITING_FUNDS") return "the bank"
  return direction === "DEPOSIT" ? "the payer's money" : "the owner's signature"
}

const ofWait = (wait: FiatWait, now: DateTime.Utc): Finding => {
  const subject = `fiat ${wait.direction.toLowerCase()}s ${wait.state}`
  const detail = count(wait.count, "order")
  const isLate = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(wait.oldestAt) > LATE_MS
  return isLate
    ? waiting(subject, `${detail}, the oldest for more than a day`, {
        waitsFor: waitsFor(wait),
        since: iso(wait.oldestAt),
        byItself: "The provider is asked every minute, and each order ends with its word.",
        whatToDo:
          "Look the order up at the provider (`countersign fiat list`, `countersign fiat order ID`), and ask it."
      })
    : ok(subject, `${detail}, for ${waitsFor(wait)}, since ${iso(wait.oldestAt)}`)
}

/** Deposits and withdrawals under way, by what they wait for. Nothing is said where there are none. */
export const diagnoseFiat = (waits: Observed<ReadonlyArray<FiatWait>>, now: DateTime.Utc): ReadonlyArray<Finding> =>
  waits._tag === "Unseen"
    ? [waiting("fiat orders", `not known: ${waits.reason}`, { waitsFor: "the database" })]
    : waits.value.map((wait) => ofWait(wait, now))
