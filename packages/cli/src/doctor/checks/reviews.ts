import type { PendingReviewCount } from "@countersign/core/identity"
import { DateTime } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText, isoText } from "../words.ts"

/** Time after which a review is late. The documentation states this time to users. */
const LATE_MS = 24 * 60 * 60_000

const waitFinding = ({ count: sessionCount, oldestAt, status }: PendingReviewCount, now: DateTime.Utc): Finding => {
  const subject = `verifications ${status}`
  const detail = countText(sessionCount, "session")
  const isLate = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(oldestAt) > LATE_MS
  const waitsFor = status === "IN_REVIEW" ? "a reviewer" : "the verification provider"
  return isLate
    ? waiting(subject, `${detail}, the oldest for more than a day`, {
        waitsFor,
        since: isoText(oldestAt),
        byItself:
          status === "IN_REVIEW" ? "Nothing: a reviewer decides." : "The service polls the provider every minute.",
        whatToDo:
          "List the sessions with `countersign identity list`, show each one with `countersign identity show`, and approve or reject it."
      })
    : ok(subject, `${detail}, for ${waitsFor}, since ${isoText(oldestAt)}`)
}

/** Reports verifications that wait for a reviewer or for the verification provider. Empty if there are none. */
export const diagnoseReviews = (
  waits: CheckResult<ReadonlyArray<PendingReviewCount>>,
  now: DateTime.Utc
): ReadonlyArray<Finding> =>
  waits._tag === "Unseen"
    ? [waiting("verifications", `unknown: ${waits.reason}`, { waitsFor: "the database" })]
    : waits.value.map((wait) => waitFinding(wait, now))
